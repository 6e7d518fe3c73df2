/**
 * What time it is, at the store and here. {@link dev.holdfast.spi.time.StoreClock} tells the store's time as an interval,
 * {@link dev.holdfast.spi.time.MeasuredClock} is for stores far away; {@link dev.holdfast.spi.time.LocalTime} is this machine's, and
 * {@link dev.holdfast.spi.time.Anchor} a moment on both its clocks.
 */
@NullMarked
package dev.holdfast.spi.time;

import org.jspecify.annotations.NullMarked;
