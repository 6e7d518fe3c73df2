/** One program per idea. Each runs by hand with {@code examples/run}, and in several processes in the tests. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
