package dev.holdfast.s3;

import static dev.holdfast.aws.AwsRequests.await;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.Tags;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Some changes, one after the other. All are judged first, so that a write that is refused has mostly changed nothing; then the contents
 * are uploaded, then each head is replaced.
 */
final class S3DocumentWrite {
    /** Each round that loses a race is one that somebody else won, so this many are lost only by a crowd. */
    private static final int MAX_RACES = 50;

    private static final long MAX_PAUSE_NANOS = 20_000_000;

    private final DocumentObjects documents;
    private final List<Change> changes;
    private final Map<String, String> uploaded = new HashMap<>();
    private final Map<String, Optional<DocumentObject>> made = new HashMap<>();
    private final List<DocumentHead> heads = new ArrayList<>();
    /** Contents that no head names. */
    private final Set<String> unused = new HashSet<>();

    S3DocumentWrite(DocumentObjects documents, List<Change> changes) {
        this.documents = documents;
        this.changes = changes;
    }

    WriteOutcome run() {
        List<DocumentObjects.Seen> seen = together(
                changes.stream().map(change -> documents.look(change.name())).toList());
        for (int i = 0; i < changes.size(); i++) {
            Optional<DocumentHead> current = seen.get(i).document().map(DocumentObject::head);
            if (!changes.get(i).condition().holds(current)) {
                return new WriteOutcome.Refused(i, current);
            }
        }
        refuseForeign(seen);
        upload();
        try {
            return make(seen);
        } catch (OutcomeUnknownException e) {
            throw e;
        } catch (StoreException e) {
            if (made.isEmpty()) {
                unused.addAll(uploaded.values());
                throw e;
            }
            throw new OutcomeUnknownException(
                    "Only a part of several changes was made: " + e.getMessage() + "; read again before acting on it",
                    e);
        } finally {
            documents.settle(made);
            documents.discard(unused);
        }
    }

    private WriteOutcome make(List<DocumentObjects.Seen> seen) {
        for (int i = 0; i < changes.size(); i++) {
            Optional<WriteOutcome.Refused> refused = make(i, seen.get(i));
            if (refused.isPresent()) {
                changes.subList(i, changes.size())
                        .forEach(change ->
                                Optional.ofNullable(uploaded.get(change.name())).ifPresent(unused::add));
                return refused.get();
            }
        }
        return new WriteOutcome.Written(heads);
    }

    private Optional<WriteOutcome.Refused> make(int index, DocumentObjects.Seen first) {
        Change change = changes.get(index);
        DocumentObjects.Seen seen = first;
        for (int round = 0; round < MAX_RACES; round++) {
            Optional<DocumentHead> current = seen.document().map(DocumentObject::head);
            if (!change.condition().holds(current)) {
                return Optional.of(new WriteOutcome.Refused(index, current));
            }
            if (change instanceof Change.Delete && (current.isEmpty() || isLeftAlone(change, seen))) {
                return Optional.empty(); // what may be at its key is somebody else's
            }
            Optional<DocumentObject> next = next(change, seen);
            boolean gone = next.isEmpty() && !(change instanceof Change.Delete);
            if (!gone && documents.commit(change.name(), seen, next)) {
                made.put(change.name(), next);
                next.map(DocumentObject::head).ifPresent(heads::add);
                seen.document()
                        .map(DocumentObject::content)
                        .filter(old -> !old.isEmpty())
                        .filter(old -> !next.map(DocumentObject::content).equals(Optional.of(old)))
                        .ifPresent(unused::add);
                return Optional.empty();
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
            seen = await(documents.look(change.name()));
        }
        throw new StoreUnavailableException(
                "Others changed document '" + change.name() + "' at the same moment, " + MAX_RACES
                        + " times in a row; try again",
                null);
    }

    private Optional<DocumentObject> next(Change change, DocumentObjects.Seen seen) {
        if (change instanceof Change.Put put) {
            return Optional.of(new DocumentObject(
                    new DocumentHead(put.name(), Tags.fresh(), put.content().length, put.attributes()),
                    uploaded.getOrDefault(put.name(), "")));
        }
        if (change instanceof Change.Mark mark) {
            DocumentObject old = seen.document().orElseThrow(); // its condition names a tag, and holds
            DocumentHead head =
                    new DocumentHead(mark.name(), Tags.fresh(), old.head().size(), mark.attributes());
            return seen.found().isEmpty()
                    ? Optional.of(new DocumentObject(head, old.content()))
                    : await(documents.adopt(mark.name(), seen.found().get()))
                            .map(content -> new DocumentObject(head, content));
        }
        return Optional.empty();
    }

    /** What others put there is deleted by nobody who has not seen it. */
    private static boolean isLeftAlone(Change change, DocumentObjects.Seen seen) {
        return seen.found().isPresent() && !(change.condition() instanceof Condition.Tagged);
    }

    /** Whoever replaces what others put there must have seen it. */
    private void refuseForeign(List<DocumentObjects.Seen> seen) {
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (change instanceof Change.Put && isLeftAlone(change, seen.get(i))) {
                throw new StoreUnusableException(
                        "There is an object at the key of document '" + change.name()
                                + "' that Holdfast did not write. It was not touched; move it away, or choose another prefix",
                        null);
            }
            if (change instanceof Change.Delete
                    && change.condition() instanceof Condition.Tagged
                    && seen.get(i).found().isPresent()) {
                throw new StoreUnusableException(
                        "Object '" + change.name()
                                + "' was not written by Holdfast, and is not deleted by it; delete it" + " yourself",
                        null);
            }
        }
    }

    private void upload() {
        List<Change.Put> puts = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                puts.add(put);
            }
        }
        List<String> ids = together(
                puts.stream().map(put -> documents.upload(put.content())).toList());
        for (int i = 0; i < puts.size(); i++) {
            uploaded.put(puts.get(i).name(), ids.get(i));
        }
    }

    private static <T> List<T> together(List<CompletableFuture<T>> stages) {
        return stages.stream().map(AwsRequests::await).toList();
    }
}
