package dev.holdfast.state.store;

import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.Token;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.Optional;

/** A document that was put in its place by other means: without a checksum, a version or a claim. */
final class Foreign {
    /** What its version is called until it gets a name of its own. */
    static final String NAME = "unversioned";

    private Foreign() {}

    /** As it is shown before it has a name. */
    static StateVersion version(Stack stack, Document document) {
        return version(stack, document, NAME, Instant.EPOCH);
    }

    /** As it is listed: its bytes are not read for that. */
    static StateVersion unread(Stack stack, DocumentHead head) {
        return new StateVersion(
                stack,
                NAME,
                0,
                Optional.empty(),
                Instant.EPOCH,
                "unknown",
                head.size(),
                "",
                "found",
                Optional.empty(),
                Token.NONE);
    }

    /** As it is kept. */
    static StateVersion version(Stack stack, Document document, VersionNames names, Instant now) {
        Instant at = VersionNames.after(now, Optional.empty());
        return version(stack, document, names.at(at), at);
    }

    private static StateVersion version(Stack stack, Document document, String name, Instant at) {
        Optional<DocumentScan> scan = scan(document.content());
        return new StateVersion(
                stack,
                name,
                scan.flatMap(DocumentScan::serial).orElse(0L),
                scan.flatMap(DocumentScan::lineage),
                at,
                "unknown",
                document.content().length,
                Sha256.of(document.content()),
                "found",
                Optional.empty(),
                Token.NONE);
    }

    private static Optional<DocumentScan> scan(byte[] content) {
        try {
            return Optional.of(DocumentScan.of(content));
        } catch (StateInvalidException e) {
            return Optional.empty(); // kept all the same: it is not ours to judge
        }
    }
}
