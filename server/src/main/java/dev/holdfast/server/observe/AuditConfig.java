package dev.holdfast.server.observe;

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
 */
public record AuditConfig(Optional<Path> file, long maxBytes, int files, boolean log, int queue) {
    private static final long DEFAULT_BYTES = 100L << 20;
    private static final int DEFAULT_FILES = 10;
    private static final int DEFAULT_QUEUE = 10_000;

    /** Nowhere: the history of the store is the only record. */
    public static AuditConfig none() {
        return new AuditConfig(Optional.empty(), DEFAULT_BYTES, DEFAULT_FILES, false, DEFAULT_QUEUE);
    }

    /** In this file, at most 100 MB, and ten older ones. */
    public static AuditConfig file(Path file) {
        return new AuditConfig(Optional.of(file), DEFAULT_BYTES, DEFAULT_FILES, false, DEFAULT_QUEUE);
    }
}
