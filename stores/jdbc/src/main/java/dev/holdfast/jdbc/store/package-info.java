/**
 * Locks in any SQL database. Start with {@link dev.holdfast.jdbc.store.JdbcRecordStore}: it does what all databases share. What
 * differs (how a batch is written, whose clock counts) is a {@link dev.holdfast.jdbc.store.Dialect}.
 *
 * <pre>
 *   JdbcRecordStore (WatchableJdbcStore where the database tells of changes) ── Lanes to write, read and list
 *         └ Dialect ── Batch           writes records
 *              └ ServerDialect         of a server: LockedRows keeps a row that others lock apart from the rest of a batch
 *   ServerDatabase                     opens, repairs and removes what a server keeps
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.store;

import org.jspecify.annotations.NullMarked;
