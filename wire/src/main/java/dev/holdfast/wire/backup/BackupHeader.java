package dev.holdfast.wire.backup;

import java.time.Instant;

/**
 * What a backup says of itself at its beginning.
 *
 * @param format of the file; a newer one than {@link #FORMAT} is not read
 * @param createdAt when it was begun, by the clock of the machine that wrote it
 * @param writtenBy the program, with its version
 * @param store the kind of store, such as {@code sqlite}
 * @param storeTime when it was begun, by the store's clock
 */
public record BackupHeader(int format, Instant createdAt, String writtenBy, String store, Instant storeTime) {
    /** The form this version writes. */
    public static final int FORMAT = 1;
}
