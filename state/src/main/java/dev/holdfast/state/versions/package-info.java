/**
 * What callers of {@link dev.holdfast.state.StateManager} give and get. Values only: nothing here reads or writes anything.
 *
 * <pre>
 *   Stack                     names a document, and its lock
 *   StateVersion              one version; LoadedState has its bytes too, Provenance says who made it
 *   HistoryPage, StackPage    versions of a stack, and all stacks
 *   ClaimOutcome, SaveOutcome, RestoreOutcome, DeleteOutcome     what came of it; StateRefusal: why not
 *   Verification              what a check of all versions found; StateCorruptException: bytes that are not what was saved
 *   VersionNames              names of new versions; PointInTime: a time as people type it
 *   StateConfig               limits; StateTooLargeException: beyond one of them
 * </pre>
 */
@NullMarked
package dev.holdfast.state.versions;

import org.jspecify.annotations.NullMarked;
