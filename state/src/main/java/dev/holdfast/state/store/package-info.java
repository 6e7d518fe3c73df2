/**
 * How versions are kept as documents. {@link dev.holdfast.state.store.StateNames} says where each one is,
 * {@link dev.holdfast.state.store.Attributes} what is written beside its bytes. A save goes
 * {@link dev.holdfast.state.store.Saves} → {@link dev.holdfast.state.store.SaveRight} (does the caller hold the lock) →
 * {@link dev.holdfast.state.store.PendingSave} → {@link dev.holdfast.state.store.Commits} (the conditional write).
 * {@link dev.holdfast.state.store.Reading}, {@link dev.holdfast.state.store.Restores},
 * {@link dev.holdfast.state.store.Deletions}, {@link dev.holdfast.state.store.Retention} and
 * {@link dev.holdfast.state.store.Verifier} do what their names say. Public for the rest of this module only.
 */
@NullMarked
package dev.holdfast.state.store;

import org.jspecify.annotations.NullMarked;
