/**
 * What runs in the fresh JVM of one contender. {@code Worker} is its main program; each thing it can be asked to do is a class of its own
 * here: {@code Cycles}, {@code Turns}, {@code Renewals} and so on. It prints a line {@code result name=value…} for each thing measured.
 */
@NullMarked
package dev.holdfast.bench.peers.worker;

import org.jspecify.annotations.NullMarked;
