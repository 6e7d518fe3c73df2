/**
 * What happens, as it happens: a line for each event ({@link dev.holdfast.cli.watch.WatchCommand}), and pictures that are drawn
 * again and again ({@link dev.holdfast.cli.watch.LivePicture}), such as the busiest locks ({@link dev.holdfast.cli.watch.TopCommand},
 * counted in {@code Tally}).
 */
@NullMarked
package dev.holdfast.cli.watch;

import org.jspecify.annotations.NullMarked;
