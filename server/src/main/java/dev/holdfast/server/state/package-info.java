/**
 * State of stacks over HTTP: the protocol of terraform's HTTP backend, and what people ask besides. It only translates: the locks of
 * terraform are {@link dev.holdfast.state.terraform.TerraformLocks}, everything about documents is in
 * {@link dev.holdfast.state.StateManager}.
 *
 * <pre>
 *   StateTable                      every call, on one page: start here
 *     TerraformRoutes               terraform's backend
 *     VersionRoutes                 versions, what differs between them, going back, the list of stacks
 *   StateCalls                      what all of them do first: which stack, who asks, may they
 *     CallWaiting, StackQuota       how long a call waits for a lock; how many stacks there may be
 *     StateProblems, MeteredLocks   how refusals are told; counting
 *   LockFiles, StaleWatch           told of every event: files that show who holds, deployments that look dead
 * </pre>
 *
 * Called by {@code http.edge} through the list of routes, and by the feed of events. Knows {@code routes}, {@code http}, {@code auth} and
 * {@code observe}; not where documents are kept, nor the configuration.
 */
@NullMarked
package dev.holdfast.server.state;

import org.jspecify.annotations.NullMarked;
