package dev.holdfast.state.store;

import dev.holdfast.documents.DamagedDocumentException;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.Times;
import dev.holdfast.state.document.DeployerChecksums;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads versions, each checked before it is given out. */
public record VersionReader(DocumentStore documents, Commits commits) {
    /** How many versions are tried in the search for a good one; each is read whole. */
    private static final int MAX_TRIED = 20;

    public Optional<LoadedState> current(Stack stack) {
        return read(stack, StateNames.current(stack))
                .filter(it -> it.content().length > 0
                        || Attributes.version(stack, it.head()).isPresent())
                .map(it -> checked(stack, it));
    }

    /** One version, from the history or the backups. */
    public Optional<LoadedState> version(Stack stack, String version) {
        if (!VersionNames.isName(version)) {
            return Optional.empty();
        }
        String entry = StateNames.history(stack, version);
        return read(stack, entry)
                .or(() -> read(stack, StateNames.backup(stack, version)))
                .or(
                        () -> { // who saved it may have died before it was in the history
                            commits.preserve(stack, commits.look(stack));
                            return read(stack, entry);
                        })
                .map(it -> checked(stack, it));
    }

    /** What cannot be decrypted with its own key is as damaged as what has a wrong checksum. */
    private Optional<Document> read(Stack stack, String name) {
        try {
            return documents.get(name);
        } catch (DamagedDocumentException e) {
            String version = Attributes.version(stack, e.head())
                    .map(StateVersion::version)
                    .orElse(UnversionedDocument.NAME);
            throw new StateCorruptException(stack, version, e.problem(), lastGood(stack));
        }
    }

    private LoadedState checked(Stack stack, Document document) {
        Optional<StateVersion> version = Attributes.version(stack, document.head());
        if (version.isEmpty()) {
            return new LoadedState(UnversionedDocument.version(stack, document), document.content());
        }
        Optional<String> problem = problem(version.get(), document.content());
        if (problem.isPresent()) {
            throw new StateCorruptException(stack, version.get().version(), problem.get(), lastGood(stack));
        }
        return new LoadedState(version.get(), document.content());
    }

    /** What is wrong with these bytes; empty if nothing. */
    static Optional<String> problem(StateVersion version, byte[] content) {
        if (!Sha256.of(content).equals(version.sha256())) {
            return Optional.of("its checksum does not match");
        }
        try {
            return DeployerChecksums.problem(content, DocumentScan.of(content));
        } catch (StateInvalidException e) {
            return Optional.of("it is not JSON");
        }
    }

    /** The newest version whose bytes are good. */
    Optional<String> lastGood(Stack stack) {
        return lastGood(stack, Optional.empty());
    }

    /** The newest good version below this one. */
    Optional<String> lastGood(Stack stack, Optional<String> below) {
        return history(stack, MAX_TRIED, below).versions().stream()
                .filter(version -> isGood(stack, version))
                .map(StateVersion::version)
                .findFirst();
    }

    private boolean isGood(Stack stack, StateVersion version) {
        try {
            Optional<Document> entry = documents.get(StateNames.history(stack, version.version()));
            return entry.map(it -> problem(version, it.content()).isEmpty()).orElse(false);
        } catch (DamagedDocumentException e) {
            return false;
        }
    }

    /** Versions, newest first, below this one. */
    public HistoryPage history(Stack stack, int limit, Optional<String> below) {
        DocumentPage page = documents.list(ListRequest.of(StateNames.history(stack), limit)
                .descending()
                .after(below.map(it -> StateNames.history(stack, it))));
        List<StateVersion> versions = page.heads().stream()
                .flatMap(head -> named(stack, head).stream())
                .toList();
        return new HistoryPage(versions, page.next().flatMap(StateNames::versionOf));
    }

    /** The newest version saved before this time. */
    public Optional<String> before(Stack stack, Instant time) {
        if (!time.isAfter(Instant.EPOCH)) {
            return Optional.empty();
        }
        Instant sane = time.isBefore(Times.NEVER) ? time : Times.NEVER; // years have four digits in names
        ListRequest request = ListRequest.of(StateNames.history(stack), 1)
                .descending()
                .after(Optional.of(StateNames.history(stack) + VersionNames.text(sane)));
        return documents.list(request).heads().stream().findFirst().flatMap(head -> StateNames.versionOf(head.name()));
    }

    /** The name is what counts; attributes that were lost show as unknown, and the checksum as wrong. */
    private static Optional<StateVersion> named(Stack stack, DocumentHead head) {
        Optional<String> name = StateNames.versionOf(head.name());
        return name.flatMap(version -> Attributes.version(stack, head)
                        .filter(it -> it.version().equals(version)))
                .or(() -> name.map(version -> UnversionedDocument.unread(stack, version, head, "")));
    }
}
