/**
 * {@code backup} and {@code restore}.
 *
 * <ul>
 *   <li>{@code BackupFile} is how a file comes to be: beside its place, read back, and only then under its name.
 *   <li>{@code BackupDocuments} says where documents are, and by which option each place is named.
 *   <li>{@code RestoreRun} has the order (file, target, clear, write, compare); {@code RestoreTarget} is what is written into, {@code
 *       RestoredLock} what a lock becomes.
 * </ul>
 *
 * <p>What is in the file, and in which form, is in {@code dev.holdfast.wire.backup}, which the server uses too.
 */
@NullMarked
package dev.holdfast.cli.backup;

import org.jspecify.annotations.NullMarked;
