/**
 * Everything a store keeps, in one file: JSON lines in gzip, from a header to a trailer with the counts and a checksum. docs/OPERATIONS.md
 * has the format.
 *
 * <p>{@link dev.holdfast.wire.backup.BackupWalk} goes through a store that is in use and writes; {@link
 * dev.holdfast.wire.backup.BackupReader} reads, and believes nothing that does not fit its checksum. {@code BackupLines} has the form of
 * each line, both ways. {@link dev.holdfast.wire.backup.RecordPages}, {@link dev.holdfast.wire.backup.EventPages} and {@link
 * dev.holdfast.wire.backup.DocumentPages} walk through stores a page at a time, for whoever copies them.
 */
@NullMarked
package dev.holdfast.wire.backup;

import org.jspecify.annotations.NullMarked;
