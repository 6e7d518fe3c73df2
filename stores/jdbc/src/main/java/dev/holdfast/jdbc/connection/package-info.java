/**
 * Connections to a database, and what becomes of them. Start with {@link dev.holdfast.jdbc.connection.Lanes}.
 *
 * <pre>
 *   Lanes ── Lane ── Session          some connections for one purpose; one, opened again when it breaks; with its statements
 *              └──── SqlDatabase      how a connection is made, what its errors mean (SqlFailures)
 *                        └ ServerConnections, ConnectionSettings, ServerFailures, ServerClock   the same of a server
 *   DatabaseUrl, ConnectionSource     where a server is, and where connections come from
 * </pre>
 *
 * <p>Nothing here knows a table.
 */
@NullMarked
package dev.holdfast.jdbc.connection;

import org.jspecify.annotations.NullMarked;
