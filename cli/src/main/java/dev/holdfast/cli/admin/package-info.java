/**
 * Looking after stores.
 *
 * <ul>
 *   <li>{@code doctor}: {@code ServerCheckup} and {@code StoreCheckup} look, a {@code Checkup} is what they found.
 *   <li>{@code schema}: tables of databases.
 *   <li>{@code migrate}: {@code MigrationRun} has the order (survey, copy, compare); {@code Migration} copies locks,
 *       {@code HistoryMigration} events, {@code DocumentMigration} state.
 * </ul>
 */
@NullMarked
package dev.holdfast.cli.admin;

import org.jspecify.annotations.NullMarked;
