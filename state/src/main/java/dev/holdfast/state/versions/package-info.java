/**
 * What callers of {@link dev.holdfast.state.StateManager} give and get: a {@link dev.holdfast.state.versions.Stack}, its
 * {@link dev.holdfast.state.versions.StateVersion versions}, who made them ({@link dev.holdfast.state.versions.Provenance}), and the outcomes
 * of what was asked, among them {@link dev.holdfast.state.versions.Refused} with its reason.
 */
@NullMarked
package dev.holdfast.state.versions;

import org.jspecify.annotations.NullMarked;
