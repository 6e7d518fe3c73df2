/**
 * Deployment state that a paused old holder cannot overwrite: start at {@link dev.holdfast.state.StateManager}.
 *
 * <p>The current document of a stack carries the fencing token of its holder. Taking the lock includes the claim, which stamps the
 * token, before the caller is told that it holds. Every save is conditional on the document being unchanged since it was seen with
 * that token, so it fails from the moment the next holder has claimed, also if that one has not written yet.
 *
 * <pre>
 *   absent ──claim──► claimed, empty ──save──► version 1 ──claim──► version 1, another token ──save──► version 2
 *                          ▲                       │
 *                          └───────delete──────────┘   (versions stay in the history)
 * </pre>
 *
 * <p>Values are in {@link dev.holdfast.state.versions} and {@link dev.holdfast.state.deploy}, the inside of documents in
 * {@link dev.holdfast.state.document}, how versions are kept in {@link dev.holdfast.state.store}, the document of our own deployer in
 * {@link dev.holdfast.state.deployer}, locks as terraform takes them in {@link dev.holdfast.state.terraform}.
 */
@NullMarked
package dev.holdfast.state;

import org.jspecify.annotations.NullMarked;
