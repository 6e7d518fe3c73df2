/**
 * What an application does with its locks, as Micrometer metrics: {@link dev.holdfast.micrometer.HoldfastMetrics} is
 * given to a client and counts what the client tells it. Nothing is decided here, and nothing of a server or of a store
 * is known.
 */
@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
