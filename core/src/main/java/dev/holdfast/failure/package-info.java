/**
 * What all exceptions of Holdfast have in common: {@link dev.holdfast.failure.HoldfastException}. Those of stores are in
 * {@link dev.holdfast.spi}, those about locks beside {@code LockClient}.
 */
@NullMarked
package dev.holdfast.failure;

import org.jspecify.annotations.NullMarked;
