/**
 * Locks and documents kept in an SQL database: what users name. Start with {@link dev.holdfast.jdbc.PostgresStore}. All other
 * packages of this module are for the module alone, and know nothing of this one; what is public there is so only for its
 * neighbours.
 *
 * <pre>
 *   PostgresStore, MariadbStore, SqliteStore, …Config, …Documents     open a store in code
 *   …StoreFactory, …DocumentFactory                                   open one by URL
 *   SqlSchema, LockTable                                              for tools: our tables, and others' tables of locks
 *   LockedTransactions                                                a transaction inside a lock
 *   FencedJdbc, FencedUpdate, FenceDdl, StaleLeaseException           the token where the data is
 *         │
 *   postgres  mariadb  sqlite    a database each, behind the door PostgresDatabase, MariadbDatabase, SqliteDatabase
 *         │
 *   store    locks: JdbcRecordStore runs the Batch of a Dialect       documents    JdbcDocuments, in the same way
 *         │                                                               │
 *   table    rows of locks and events, and the tables they are in     fence    a lease against its lock, in a transaction
 *         │
 *   connection    Session, Lane and Lanes: connections, and what is done when one fails
 * </pre>
 *
 * <p>A write goes from {@code JdbcRecordStore} through a free {@code Lane} to the database's batch ({@code PostgresBatch},
 * {@code MariadbBatch}, {@code SqliteBatch}), on a server around rows that others have locked ({@code LockedRows}).
 */
@NullMarked
package dev.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
