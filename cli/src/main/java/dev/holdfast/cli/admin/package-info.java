/**
 * Looking after stores and servers.
 *
 * <pre>
 *   DoctorCommand      ServerCheckup and StoreCheckup look (LockTrial, ClockRate); a Checkup is what they found
 *   DiagnoseCommand    a DiagnoseBundle: what a server tells about itself, in one file
 *   SchemaCommand      tables of databases; TableAdoption takes over those of others
 *   MigrateCommand     MigrationRun has the order (MigrationSurvey, copy, compare), with MigrationOptions; Migration copies locks,
 *                      HistoryMigration events, DocumentMigration state between DocumentPlaces; MigrationProblems tells what is wrong
 *   StandIns           for files that are only looked at, and not there yet
 *   TemporaryFiles     removed when the command ends
 * </pre>
 *
 * Called by {@code Main}; {@code backup} asks it whether a store may be written to. Knows {@code connect} and {@code text}, and no other
 * command.
 */
@NullMarked
package dev.holdfast.cli.admin;

import org.jspecify.annotations.NullMarked;
