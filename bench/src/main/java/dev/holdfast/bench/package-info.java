/** Measures the engine and the stores. */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
