package dev.holdfast.state.store;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateTooLargeException;
import java.util.Optional;

/** Bytes that may be kept: within the limit, and JSON that is what it says it is. */
public final class Incoming {
    private final byte[] bytes;
    private final String sha256;
    private final DocumentScan scan;

    private Incoming(byte[] bytes, DocumentScan scan) {
        this.bytes = bytes;
        this.scan = scan;
        this.sha256 = Sha256.of(bytes);
    }

    public static Incoming checked(Stack stack, byte[] bytes, long limit) {
        if (bytes.length > limit) {
            throw new StateTooLargeException(stack, bytes.length, limit);
        }
        DocumentScan scan = DocumentScan.of(bytes);
        DeployerChecksums.problem(bytes, scan).ifPresent(problem -> {
            throw new StateInvalidException("State of stack '" + stack + "' contradicts itself: " + problem);
        });
        return new Incoming(bytes, scan);
    }

    public byte[] bytes() {
        return bytes;
    }

    String sha256() {
        return sha256;
    }

    Optional<Long> serial() {
        return scan.serial();
    }

    Optional<String> lineage() {
        return scan.lineage();
    }
}
