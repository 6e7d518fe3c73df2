/**
 * The calls about locks, one small class for each group: request, command, reply. {@code RouteTable} is the list; start there. A route decides
 * nothing about locks: the engine does. {@code LockParameters} reads what many calls take, {@code EventHub} keeps the newest events once for
 * all who listen.
 */
@NullMarked
package dev.holdfast.server.routes;

import org.jspecify.annotations.NullMarked;
