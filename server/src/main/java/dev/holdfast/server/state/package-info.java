/**
 * State of stacks over HTTP: the protocol of terraform's HTTP backend, and what people ask besides.
 *
 * <p>{@link dev.holdfast.server.state.StateTable} has every call. It only translates: the locks of terraform are
 * {@link dev.holdfast.state.terraform.TerraformLocks}, everything about documents is in {@link dev.holdfast.state.StateManager}.
 */
@NullMarked
package dev.holdfast.server.state;

import org.jspecify.annotations.NullMarked;
