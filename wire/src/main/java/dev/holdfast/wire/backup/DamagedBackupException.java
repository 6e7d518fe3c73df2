package dev.holdfast.wire.backup;

import org.jspecify.annotations.Nullable;

/** A file that is not a backup, or not all of one, or not as it was written. The message says what is wrong with it. */
public final class DamagedBackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DamagedBackupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
