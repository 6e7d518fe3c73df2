/**
 * State of stacks over HTTP: the protocol of terraform's HTTP backend, and what people ask besides.
 *
 * <p>{@link dev.holdfast.server.state.StateTable} has every call. {@code StackLocks} takes and ends the locks, with a place in the
 * queue for those who poll; everything about documents is in {@link dev.holdfast.state.StateManager}.
 */
@NullMarked
package dev.holdfast.server.state;

import org.jspecify.annotations.NullMarked;
