/**
 * State behind a server or in a store, with the same calls ({@link dev.holdfast.state.StateManager}), opened by
 * {@link dev.holdfast.cli.state.access.StateTarget}. Knows no command.
 */
@NullMarked
package dev.holdfast.cli.state.access;

import org.jspecify.annotations.NullMarked;
