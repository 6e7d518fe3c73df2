/**
 * What users of {@code dev.holdfast.concurrent} may rely on, wherever their client is connected to:
 * {@link dev.holdfast.testkit.concurrent.ThreadLocksContract} and {@link dev.holdfast.testkit.concurrent.LeaderElectionContract}.
 */
@NullMarked
package dev.holdfast.testkit.concurrent;

import org.jspecify.annotations.NullMarked;
