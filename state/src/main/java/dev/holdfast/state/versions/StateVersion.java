package dev.holdfast.state.versions;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.Token;
import dev.holdfast.state.document.DocumentScan;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of one saved version, without its bytes.
 *
 * @param stack of which stack
 * @param version its name; opaque, later ones sort higher
 * @param serial the number inside the document where it has one ({@code serial}, as terraform writes it), else counted here
 * @param lineage as in the document, where it has one
 * @param savedAt when; never before an earlier version's
 * @param by who saved it
 * @param size of its bytes
 * @param sha256 of its bytes, in hexadecimal
 * @param operation what it was saved for, such as {@code OperationTypeApply}; may be empty
 * @param lockId the lock's id as its holder shows it; empty when saved without one
 * @param token the fencing token it was saved under
 */
public record StateVersion(
        Stack stack,
        String version,
        long serial,
        Optional<String> lineage,
        Instant savedAt,
        String by,
        long size,
        String sha256,
        String operation,
        Optional<String> lockId,
        Token token) {

    /** What the bytes of a version tell of it, where nothing else is known but who saved it; the document's serial unless one is given. */
    public static StateVersion found(
            Stack stack, String version, Optional<Long> serial, Provenance by, byte[] content) {
        Optional<DocumentScan> scan = DocumentScan.attempt(content);
        return new StateVersion(
                stack,
                version,
                serial.or(() -> scan.flatMap(DocumentScan::serial)).orElse(0L),
                scan.flatMap(DocumentScan::lineage),
                VersionNames.time(version).orElse(Instant.EPOCH),
                by.by(),
                content.length,
                Sha256.of(content),
                by.operation(),
                Optional.empty(),
                Token.NONE);
    }

    /** The same under another name. */
    public StateVersion named(String other, Instant at) {
        return new StateVersion(stack, other, serial, lineage, at, by, size, sha256, operation, lockId, token);
    }
}
