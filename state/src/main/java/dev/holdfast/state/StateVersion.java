package dev.holdfast.state;

import dev.holdfast.model.Token;
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

    /** The same under another name. */
    StateVersion named(String other, Instant at) {
        return new StateVersion(stack, other, serial, lineage, at, by, size, sha256, operation, lockId, token);
    }
}
