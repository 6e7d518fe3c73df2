package dev.holdfast.cli.admin;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.Token;
import dev.holdfast.wire.backup.DocumentPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * The documents of one place in another: the same bytes and attributes under the same names. Tags are the store's own, and new. A
 * document of the target that is another one is replaced only if that was asked for, and never one that carries a later token: a
 * holder it has shut out would be let in again.
 *
 * <p>One content is in memory at a time.
 */
record DocumentMigration(DocumentStore from, DocumentStore to) {
    /** More names than this help nobody. */
    private static final int OWN_TOLD = 20;

    /**
     * What was found in the source; {@code already} of the documents are in the target as they are. {@code own} are names that only
     * the target has, some of them.
     */
    record Standing(long documents, long already, long bytes, List<String> own, Token newest, List<String> problems) {
        static final Standing NONE = new Standing(0, 0, 0, List.of(), Token.NONE, List.of());
    }

    static Token newest(DocumentStore place) {
        Token[] newest = {Token.NONE};
        DocumentPages.each(place, head -> newest[0] = DocumentPages.later(newest[0], token(head)));
        return newest[0];
    }

    Standing survey(boolean replace) {
        Survey survey = new Survey();
        DocumentPages.each(from, head -> survey.source(head, replace));
        DocumentPages.each(to, head -> survey.target(head.name(), replace));
        return survey.standing();
    }

    private final class Survey {
        private long documents;
        private long already;
        private long bytes;
        private Token newest = Token.NONE;
        private final List<String> own = new ArrayList<>();
        private final MigrationProblems problems = new MigrationProblems();

        private void source(DocumentHead head, boolean replace) {
            documents++;
            bytes += head.size();
            newest = DocumentPages.later(newest, token(head));
            if (head.size() > to.maxSize()) {
                problems.add("Document '" + head.name() + "' has " + head.size() + " bytes; " + to.kind()
                        + " keeps at most " + to.maxSize() + ". Name another place with --documents-to");
            }
            Optional<DocumentHead> there = to.look(head.name());
            if (there.isPresent() && isSame(head, there.get())) {
                already++;
            } else {
                there.flatMap(other -> obstacle(head, other, replace)).ifPresent(problems::add);
            }
        }

        private void target(String name, boolean replace) {
            if (from.look(name).isPresent()) {
                return;
            }
            if (!replace) {
                problems.add(
                        "Document '" + name + "' is only in the target. With --replace-documents it is left as it is,"
                                + " beside those of the source");
            } else if (own.size() < OWN_TOLD) {
                own.add(name);
            }
        }

        private Standing standing() {
            return new Standing(documents, already, bytes, List.copyOf(own), newest, problems.all("documents"));
        }
    }

    private static Optional<String> obstacle(DocumentHead source, DocumentHead there, boolean replace) {
        String name = "Document '" + source.name() + "' ";
        if (token(there).compareTo(token(source)) > 0) {
            return Optional.of(name + "carries a later token in the target (" + token(there) + ") than in the source ("
                    + token(source) + "): the target is already in use. It is not overwritten");
        }
        return replace
                ? Optional.empty()
                : Optional.of(name + "is different in the target. If it came from the source in an earlier run, say"
                        + " --replace-documents; else copy into another place with --documents-to");
    }

    /**
     * Copies what is not there as it is.
     *
     * @return what could not be written, because one of the two changed since it was looked at
     */
    List<String> copy(boolean replace, LongConsumer progress) {
        List<String> refused = new ArrayList<>();
        DocumentPages.each(from, head -> {
            Optional<DocumentHead> there = to.look(head.name());
            if (there.isEmpty() || !isSame(head, there.get())) {
                write(head.name(), there, replace).ifPresent(refused::add);
            }
            progress.accept(1);
        });
        return refused;
    }

    private Optional<String> write(String name, Optional<DocumentHead> there, boolean replace) {
        Optional<Document> source = from.get(name);
        if (source.isEmpty()) {
            return Optional.empty(); // deleted since it was listed
        }
        DocumentHead head = source.get().head();
        Optional<String> obstacle = there.flatMap(other -> obstacle(head, other, replace));
        if (obstacle.isPresent()) {
            return obstacle;
        }
        Condition unchanged = there.map(other -> Condition.tagged(other.tag())).orElseGet(Condition::absent);
        WriteOutcome outcome = to.write(Change.put(name, unchanged, source.get().content(), head.attributes()));
        return outcome instanceof WriteOutcome.Written
                ? Optional.empty()
                : Optional.of("Document '" + name + "' changes in the target while it is written. Run this again");
    }

    /** Compares every document again, byte for byte and with its attributes. */
    List<String> differences(LongConsumer progress) {
        MigrationProblems different = new MigrationProblems();
        DocumentPages.each(from, head -> {
            Optional<DocumentHead> copy = to.look(head.name());
            if (copy.isEmpty() || !isSame(head, copy.get())) {
                different.add("Document '" + head.name() + "' " + (copy.isPresent() ? "differs" : "is missing")
                        + " in the target: one of the two is in use");
            }
            progress.accept(1);
        });
        return different.all("documents");
    }

    private boolean isSame(DocumentHead here, DocumentHead there) {
        return here.size() == there.size()
                && here.attributes().equals(there.attributes())
                && fingerprint(from, here.name()).equals(fingerprint(to, here.name()));
    }

    /** One content at a time: two large ones may not fit. With the attributes read beside it: what was listed may be older. */
    private static Optional<String> fingerprint(DocumentStore place, String name) {
        return place.get(name)
                .map(document -> new TreeMap<>(document.head().attributes()) + Sha256.of(document.content()));
    }

    private static Token token(DocumentHead head) {
        return DocumentPages.token(head.attributes());
    }
}
