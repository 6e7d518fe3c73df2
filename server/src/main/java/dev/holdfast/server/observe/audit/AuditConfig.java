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

    /** As much is kept as usual: at most 100 MB in a file, and ten older ones. */
    public static AuditConfig of(Optional<Path> file, boolean log, boolean required) {
        return new AuditConfig(file, DEFAULT_BYTES, DEFAULT_FILES, log, DEFAULT_QUEUE, required);
    }
}
