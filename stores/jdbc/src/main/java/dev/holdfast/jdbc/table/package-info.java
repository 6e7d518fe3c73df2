/**
 * The tables of locks and events. Start with {@link dev.holdfast.jdbc.table.LockRows}.
 *
 * <pre>
 *   LockRows, EventRows      a record and an event as a row: read, listed, written
 *   SqlQuery, Prefix         conditions whose values are parameters
 *   TimeColumn, Utc          times in columns
 *   SqlScript, OwnTables     the statements that make the tables, and which of the tables found are ours
 *   LockSchema, SqlTables    what is done to the tables: by a store that opens, and by tools
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.table;

import org.jspecify.annotations.NullMarked;
