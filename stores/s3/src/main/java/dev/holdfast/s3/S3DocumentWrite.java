package dev.holdfast.s3;

import static dev.holdfast.aws.AwsRequests.await;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.documents.ContentUploads;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final ContentUploads contents;
    private final Map<String, Optional<StoredDocument>> made = new HashMap<>();
    private final List<DocumentHead> heads = new ArrayList<>();

    S3DocumentWrite(DocumentObjects documents, List<Change> changes) {
        this.documents = documents;
        this.changes = changes;
        this.contents = new ContentUploads(documents, changes);
    }

    WriteOutcome run() {
        List<DocumentObjects.CurrentHead> seen = AwsRequests.awaitAll(
                changes.stream().map(change -> documents.look(change.name())).toList());
        for (int i = 0; i < changes.size(); i++) {
            Optional<DocumentHead> current = seen.get(i).document().map(StoredDocument::head);
            if (!changes.get(i).condition().holds(current)) {
                return new WriteOutcome.Refused(i, current);
            }
        }
        refuseForeign(seen);
        contents.upload();
        try {
            return make(seen);
        } catch (OutcomeUnknownException e) {
            throw e;
        } catch (StoreException e) {
            if (made.isEmpty()) {
                contents.notMade(changes);
                throw e;
            }
            throw new OutcomeUnknownException(
                    "Only a part of several changes was made: " + e.getMessage() + "; read again before acting on it",
                    e);
        } finally {
            documents.settle(made);
            contents.discard();
        }
    }

    private WriteOutcome make(List<DocumentObjects.CurrentHead> seen) {
        for (int i = 0; i < changes.size(); i++) {
            Optional<WriteOutcome.Refused> refused = make(i, seen.get(i));
            if (refused.isPresent()) {
                contents.notMade(changes.subList(i, changes.size()));
                return refused.get();
            }
        }
        return new WriteOutcome.Written(heads);
    }

    private Optional<WriteOutcome.Refused> make(int index, DocumentObjects.CurrentHead first) {
        Change change = changes.get(index);
        DocumentObjects.CurrentHead seen = first;
        for (int round = 0; round < MAX_RACES; round++) {
            Optional<DocumentHead> current = seen.document().map(StoredDocument::head);
            if (!change.condition().holds(current)) {
                return Optional.of(new WriteOutcome.Refused(index, current));
            }
            if (change instanceof Change.Delete && (current.isEmpty() || isLeftAlone(change, seen))) {
                return Optional.empty(); // what may be at its key is somebody else's
            }
            Optional<StoredDocument> next = next(change, seen);
            boolean gone = next.isEmpty() && !(change instanceof Change.Delete);
            if (!gone && documents.commit(change.name(), seen, next)) {
                made.put(change.name(), next);
                next.map(StoredDocument::head).ifPresent(heads::add);
                seen.document()
                        .map(StoredDocument::content)
                        .filter(old -> !next.map(StoredDocument::content).equals(Optional.of(old)))
                        .ifPresent(contents::unused);
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

    private Optional<StoredDocument> next(Change change, DocumentObjects.CurrentHead seen) {
        if (change instanceof Change.Mark mark && seen.found().isPresent()) {
            return await(documents.adopt(mark.name(), seen.found().get()))
                    .map(content -> ContentUploads.marked(mark, seen.document().orElseThrow(), content));
        }
        return contents.next(change, seen.document());
    }

    /** What others put there is deleted by nobody who has not seen it. */
    private static boolean isLeftAlone(Change change, DocumentObjects.CurrentHead seen) {
        return seen.found().isPresent() && !(change.condition() instanceof Condition.Tagged);
    }

    /** Whoever replaces what others put there must have seen it. */
    private void refuseForeign(List<DocumentObjects.CurrentHead> seen) {
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
}
