/**
 * What only whoever runs the server may see and change while it runs: {@code /admin/…}, for the role {@code admin} in all namespaces.
 * {@code holdfast diagnose} puts the answers into one file. Each call answers by itself, and without the store where it can: what is
 * asked here is asked when something does not work. Nothing here shows a secret: settings and log lines are masked where they are read.
 *
 * <pre>
 *   AdminRoutes                 the log and its levels, threads, slow operations, the most used locks: start here
 *     StoreFacts, ThreadDump    what is known of the store; what every thread does
 *   NotifyTestRoute             a test message to webhooks
 * </pre>
 *
 * Called by {@code http.edge} through the list of routes. Knows {@code health}, {@code notify}, {@code http}, {@code auth} and
 * {@code observe}; no lock, and no configuration.
 */
@NullMarked
package dev.holdfast.server.admin;

import org.jspecify.annotations.NullMarked;
