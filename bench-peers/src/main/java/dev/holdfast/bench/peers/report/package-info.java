/**
 * What becomes of the numbers: {@code Results} gathers them, {@code Goals} compares them with what is wanted, and {@code Tables}, {@code
 * JsonReport} and {@code Charts} show them. Nothing here measures.
 */
@NullMarked
package dev.holdfast.bench.peers.report;

import org.jspecify.annotations.NullMarked;
