/**
 * Locks kept in an SQL database.
 *
 * <p>One {@code JdbcRecordStore} does the work all databases share: listing, history, and the life of connections. What
 * differs (how a batch is written, whose clock counts, what an error means) is a {@code Dialect}.
 *
 * <pre>
 *   JdbcRecordStore ── Lanes writers, Lane reader, lister ── Session (a connection and its prepared statements)
 *         │
 *      Dialect ─┬─ SqliteDialect ─── SqliteBatch      one transaction per batch
 *               │        ├────────── SqliteClock      the process's own time, or the machine's
 *               │        └────────── SqliteFileLock   who may open the file
 *               ├─ PostgresDialect ─ PostgresBatch    one statement per batch
 *               │        └────────── PostgresListener wakes waiters
 *               └─ MariadbDialect ── MariadbBatch     one transaction per batch
 *                  both: ServerClock, and LockedRows, which keeps a row that others lock apart
 *
 *   JdbcDocuments ── DocumentDatabase: SqliteDocuments (a file of its own), PostgresDocuments, MariadbDocuments
 *         └───────── DocumentWrite (one transaction), DocumentRows, ContentRows (each content once)
 *
 *   FencedJdbc, FencedUpdate, FenceDdl: the token where the data is
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
