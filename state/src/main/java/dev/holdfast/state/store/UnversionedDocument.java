package dev.holdfast.state.store;

import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.Optional;

/** A document that was put in its place by other means: without a checksum, a version or a claim. */
final class UnversionedDocument {
    /** What its version is called until it gets a name of its own. */
    static final String NAME = "unversioned";

    private static final Provenance BY = Provenance.of("unknown", "found");

    private UnversionedDocument() {}

    /** As it is shown before it has a name. */
    static StateVersion version(Stack stack, Document document) {
        return StateVersion.found(stack, NAME, Optional.empty(), BY, document.content());
    }

    /** As it is kept. */
    static StateVersion version(Stack stack, Document document, VersionNames names, Instant now) {
        String name = names.at(VersionNames.after(now, Optional.empty()));
        return StateVersion.found(stack, name, Optional.empty(), BY, document.content());
    }

    /** As it is listed: its bytes are not read for that. */
    static StateVersion unread(Stack stack, DocumentHead head) {
        return unread(stack, NAME, head, BY.operation());
    }

    /** One of which nothing is known but its name and size. */
    static StateVersion unread(Stack stack, String name, DocumentHead head, String operation) {
        return new StateVersion(
                stack,
                name,
                0,
                Optional.empty(),
                VersionNames.time(name).orElse(Instant.EPOCH),
                BY.by(),
                head.size(),
                "",
                operation,
                Optional.empty(),
                Token.NONE);
    }
}
