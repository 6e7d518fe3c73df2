/** Real servers that tests, examples and benchmarks start themselves, and lines to them that can be cut. */
@NullMarked
package dev.holdfast.testkit.servers;

import org.jspecify.annotations.NullMarked;
