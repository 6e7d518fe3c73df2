/**
 * The calls about locks, one small class for each group: request, command, reply. A route decides nothing about locks: the engine does.
 *
 * <pre>
 *   RouteTable                                every call, on one page: start here
 *     AcquireRoute, LeaseRoutes               taking, renewing, releasing; BatchOperation: one of many at once
 *     LookRoutes, HistoryRoute, StatusRoute   lists, one lock, what happened, who works on what
 *       HistoryFilter, HistoryAnswer            which events, as pages or lines
 *     OperatorRoutes, V1Routes                what only admins may do; the calls of version 1
 *     EventsRoute ─► EventHub ─► EventStream  what happens from now on; RecentEvents keeps the newest once for all who listen, EventText writes them
 *   LockCalls                                 what all of them need: the engine, its client, meters, audit
 *     LockParameters, LeaseBounds             what callers send, and how long leases may be
 *     Waiters, LockQuota, RetryAfter          how many may wait, how many locks a caller may use, when to ask again
 * </pre>
 *
 * Called by {@code http.edge}, through the list of routes that {@code HoldfastServer} makes; {@code state} and {@code overview} take
 * {@code LockCalls}. Knows {@code survey}, {@code http}, {@code auth} and {@code observe}; not state, the guard or the configuration.
 */
@NullMarked
package dev.holdfast.server.routes;

import org.jspecify.annotations.NullMarked;
