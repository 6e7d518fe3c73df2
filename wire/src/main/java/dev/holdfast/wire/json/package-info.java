/** JSON as values that keep what they do not understand: members in their order, numbers as they were written. */
@NullMarked
package dev.holdfast.wire.json;

import org.jspecify.annotations.NullMarked;
