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
 * <p>Programs call it, and routes, clients and the command line do for their users; it knows locks and documents, but no store and no HTTP.
 *
 * <pre>
 *   StateManager        what can be asked; ServerStates in module client asks a server
 *   LocalStateManager   answers in this process
 *     ├─ DeployLocks      takes, shows and ends the locks of stacks and their parts; VisibleLocks: files that show them to people
 *     ├─ DeployRun        one deployment under its lock, from loading to the last save
 *     └─ StateEvents      what happened, in the history of the lock
 *
 *   versions    what callers give and get            document    the inside of documents
 *   deploy      the values of deployments            store       how versions are kept
 *   deployer    the document of our own deployer     terraform   locks as terraform takes them
 *   wire        all of it as JSON; stands above this package, which does not know it
 * </pre>
 */
@NullMarked
package dev.holdfast.state;

import org.jspecify.annotations.NullMarked;
