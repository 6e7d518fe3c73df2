package dev.holdfast.state.store;

import dev.holdfast.documents.DamagedDocumentException;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.state.document.CancellableWork;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads every version of a stack and compares it with its checksum; one at a time in memory. */
public final class Verifier {
    private static final int PAGE = 200;
    /** Damages named; more are only a longer list. */
    private static final int MAX_NAMED = 1_000;

    private final DocumentStore documents;
    private final VersionReader reading;
    private final Stack stack;
    private final CancellableWork work;
    private final List<Verification.Damage> damaged = new ArrayList<>();
    private Optional<String> lastGood = Optional.empty();
    private int checked;

    public Verifier(DocumentStore documents, VersionReader reading, Stack stack, CancellableWork work) {
        this.documents = documents;
        this.reading = reading;
        this.stack = stack;
        this.work = work;
    }

    public Verification verify() {
        current();
        Optional<String> below = Optional.empty();
        do {
            HistoryPage page = reading.history(stack, PAGE, below);
            page.versions().forEach(this::entry);
            below = page.next();
        } while (below.isPresent());
        return new Verification(stack, checked, damaged, lastGood);
    }

    private void current() {
        try {
            documents
                    .get(StateNames.current(stack))
                    .ifPresent(
                            it -> Attributes.version(stack, it.head()).ifPresent(version -> note(version, true, it)));
        } catch (DamagedDocumentException e) {
            String version = Attributes.version(stack, e.head())
                    .map(StateVersion::version)
                    .orElse(UnversionedDocument.NAME);
            note(version, true, Optional.of(e.problem()));
        }
    }

    private void note(StateVersion version, boolean current, Document document) {
        note(version.version(), current, VersionReader.problem(version, document.content()));
    }

    private void entry(StateVersion version) {
        work.step();
        try {
            // Gone since it was listed: it was past its time.
            documents.get(StateNames.history(stack, version.version())).ifPresent(it -> note(version, false, it));
        } catch (DamagedDocumentException e) {
            note(version.version(), false, Optional.of(e.problem()));
        }
    }

    private void note(String version, boolean current, Optional<String> problem) {
        checked++;
        if (problem.isEmpty()) {
            lastGood = lastGood.or(() -> Optional.of(version));
        } else if (damaged.size() < MAX_NAMED) {
            damaged.add(new Verification.Damage(version, current, problem.get()));
        }
    }
}
