package dev.holdfast.server.observe.audit;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where audit events are written.
 *
 * @param file a file of their own, one JSON object per line
 * @param maxBytes when the file is rolled
 * @param files how many rolled files are kept
 * @param log whether they are also written to the logger {@code holdfast.audit}
 * @param queue how many may wait to be written; more are lost, and counted
 * @param required whether nothing is done that cannot be written to the file
 */
public record AuditConfig(Optional<Path> file, long maxBytes, int files, boolean log, int queue, boolean required) {
    private static final long DEFAULT_BYTES = 100L << 20;
    private static final int DEFAULT_FILES = 10;
    private static final int DEFAULT_QUEUE = 10_000;

    /** Only a file can tell that it was not written. */
    public AuditConfig {
        if (required && file.isEmpty()) {
            throw new IllegalArgumentException("an audit that is required needs a file (audit.file)");
        }
    }

    /** Nowhere: the history of the store is the only record. */
    public static AuditConfig none() {
        return new AuditConfig(Optional.empty(), DEFAULT_BYTES, DEFAULT_FILES, false, DEFAULT_QUEUE, false);
    }

    /** In this file, at most 100 MB, and ten older ones. */
    public static AuditConfig file(Path file) {
        return new AuditConfig(Optional.of(file), DEFAULT_BYTES, DEFAULT_FILES, false, DEFAULT_QUEUE, false);
    }

    /** The same, and nothing is done that cannot be written. */
    public AuditConfig whenRequired() {
        return new AuditConfig(file, maxBytes, files, log, queue, true);
    }
}
