/**
 * Inputs nobody would write: {@link dev.holdfast.testkit.fuzz.Fuzz} cuts and mixes good ones, {@link dev.holdfast.testkit.fuzz.OddUrl}
 * hides a secret in a URL.
 */
@NullMarked
package dev.holdfast.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
