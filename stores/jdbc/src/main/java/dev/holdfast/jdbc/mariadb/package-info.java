/**
 * MariaDB and MySQL. Start with {@link dev.holdfast.jdbc.mariadb.MariadbDatabase}, the door, which puts the rest together.
 *
 * <pre>
 *   MariadbDialect ── MariadbBatch ── MariadbRow, MariadbRows    a batch in one transaction
 *   MariadbConnections, MariadbDriver                            settings of a connection; which driver opens a URL
 *   MariadbFailures, MariadbSchema                               its errors and tables
 *   MariadbDocumentDialect                                       documents
 * </pre>
 */
@NullMarked
package dev.holdfast.jdbc.mariadb;

import org.jspecify.annotations.NullMarked;
