/** What every store owes, written as tests, and the tools to check it. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
