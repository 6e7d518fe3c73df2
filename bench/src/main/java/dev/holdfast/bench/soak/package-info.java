/**
 * {@code holdfast soak}: the same load for a long time, and what grows meanwhile.
 *
 * <p>{@code SoakCommand} reads the options and wires the parts. {@code Traffic} gives an {@code Activity} its turn, so many a second;
 * {@code EventListeners} follow the events beside it. Both call through a {@code SoakTarget}, which times every answer. {@code Watch} takes a
 * {@code Sample} of every {@code Gauge} now and then. {@code GrowthRate} is the one place that says from samples how fast something grows and
 * whether that is too fast; {@code SoakReport} prints it. {@code OwnServer} is the server where none is named.
 */
@NullMarked
package dev.holdfast.bench.soak;

import org.jspecify.annotations.NullMarked;
