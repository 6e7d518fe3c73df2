/**
 * SQLite. Start with {@link dev.holdfast.jdbc.sqlite.SqliteDatabase}, the door, which puts the rest together.
 *
 * <pre>
 *   SqliteDialect ── SqliteBatch                         a batch in one transaction
 *   SqliteFileLock, SqliteFiles, SqliteConnections       who may open the file, where it is, how it is opened
 *   SqliteClock ─┬─ OwnClock                             alone: the process's own time
 *                ├─ MachineClock (MachineId)             shared: the machine's monotonic clock
 *                └─ WallClock                            shared, where that cannot be had
 *   SqliteMeta, SqliteTimekeeper, SqliteRestart          the stored time, kept while locks are held; leases after a restart
 *   SqliteFailures, SqliteSchema                         its errors and tables
 *   SqliteDocumentDialect                                documents
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.sqlite;

import org.jspecify.annotations.NullMarked;
