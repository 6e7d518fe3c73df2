/**
 * PostgreSQL. Start with {@link dev.holdfast.jdbc.postgres.PostgresDatabase}, the door, which puts the rest together.
 *
 * <pre>
 *   PostgresDialect ── PostgresBatch ── PostgresRow, PostgresSql    one record in one statement
 *                        ├─ PostgresMultiWrite                       several in one
 *                        └─ RefusedWrites                            what is there instead of what was refused
 *   PostgresListener                                                wakes waiters
 *   PostgresConnections ── PostgresPooler                           settings of a connection; is there a PgBouncer?
 *   PostgresFailures, PostgresTime, PostgresSchema                  its errors, times and tables
 *   PostgresDocumentDialect                                         documents
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.postgres;

import org.jspecify.annotations.NullMarked;
