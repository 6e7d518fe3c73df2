/**
 * Documents in any SQL database, each content once. Start with {@link dev.holdfast.jdbc.documents.JdbcDocuments}. What differs
 * between databases is a {@link dev.holdfast.jdbc.documents.DocumentDialect}. Nothing here knows locks.
 *
 * <pre>
 *   JdbcDocuments ── DocumentTransaction    some changes, all or none
 *         └ DocumentRows, ContentRows       names with attributes, and the bytes
 *   DocumentTables                          makes the two tables
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.documents;

import org.jspecify.annotations.NullMarked;
