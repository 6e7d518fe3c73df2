package dev.holdfast.wire.backup;

import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes everything that is in a store, while it is in use.
 *
 * <ul>
 *   <li>Each lock is whole, as it was at some moment of the walk; different locks may be of different moments.
 *   <li>The history is read after the locks, so it tells how each of them came to be.
 *   <li>All documents together are as they were at one moment: they are looked through again until none has changed since it was read.
 * </ul>
 *
 * <p>A page of locks or events, one document, and the names of all documents are in memory.
 *
 * @param store with the locks
 * @param places where the documents are
 * @param program who writes, for the header
 */
public record BackupWalk(RecordStore store, List<BackupPlace> places, String program) {
    /** A change of a document in each of so many looks at all of them: somebody is at work, and a backup can wait. */
    private static final int MAX_LOOKS = 30;

    private static final int FENCES = 500;

    /**
     * Writes it all.
     *
     * @throws IOException if it cannot be written
     * @throws dev.holdfast.spi.StoreException if the store cannot be read
     */
    public BackupTotals writeTo(OutputStream out) throws IOException {
        Instant storeTime = StoreTime.of(store).latest();
        BackupWriter writer = new BackupWriter(
                out,
                new BackupHeader(
                        BackupHeader.FORMAT,
                        Instant.now(),
                        program,
                        store.traits().name(),
                        storeTime));
        try {
            locks(writer);
            events(writer);
            fences(writer);
            documents(writer);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return writer.end();
    }

    private void locks(BackupWriter writer) {
        RecordPages.each(store, ScanRequest.all(), found -> {
            LockRecord record = found.record();
            if (record.isNewer()) {
                throw new StoreUnusableException(
                        "Lock '" + record.key().name() + "' in '" + record.key().namespace()
                                + "' was written by a newer version of Holdfast. Back up with that one",
                        null);
            }
            written(() -> writer.lock(record));
        });
    }

    private void events(BackupWriter writer) throws IOException {
        if (store instanceof EventLog log) {
            for (EventPages events = new EventPages(log); events.hasNext(); ) {
                writer.event(events.next());
            }
        }
    }

    private void fences(BackupWriter writer) throws IOException {
        if (store instanceof FencedTokens fences) {
            Optional<FencedToken> last = Optional.empty();
            List<FencedToken> page;
            do {
                page = Uninterruptibly.answer(fences.fencedTokens(last, FENCES));
                for (FencedToken fence : page) {
                    writer.fence(fence);
                    last = Optional.of(fence);
                }
            } while (page.size() == FENCES);
        }
    }

    // ---- documents

    private void documents(BackupWriter writer) throws IOException {
        Map<String, String> tags = new HashMap<>();
        for (int look = 0; look < MAX_LOOKS; look++) {
            if (!changed(writer, tags)) {
                return;
            }
        }
        throw new StoreUnavailableException(
                "Documents of state or guard keep changing: " + MAX_LOOKS
                        + " passes over them each found another change. Try again when less is going on",
                null);
    }

    /** Writes what is not written yet as it is now; whether there was anything. */
    private boolean changed(BackupWriter writer, Map<String, String> tags) throws IOException {
        boolean[] any = {false};
        Set<String> there = new HashSet<>();
        for (BackupPlace place : places) {
            DocumentPages.each(place.documents(), head -> {
                if (!place.names().test(head.name())) {
                    return;
                }
                there.add(head.name());
                if (!head.tag().equals(tags.get(head.name()))) {
                    any[0] = true;
                    written(() -> document(writer, place.documents(), head.name(), tags));
                }
            });
        }
        for (String name : new ArrayList<>(tags.keySet())) {
            if (!there.contains(name)) {
                any[0] = true;
                tags.remove(name);
                writer.gone(name);
            }
        }
        return any[0];
    }

    private static void document(BackupWriter writer, DocumentStore place, String name, Map<String, String> tags)
            throws IOException {
        Optional<Document> found = place.get(name); // gone already: the next look finds that out
        if (found.isPresent()) {
            tags.put(name, found.get().head().tag());
            writer.document(name, found.get().head().attributes(), found.get().content());
        }
    }

    private interface Writing {
        void write() throws IOException;
    }

    private static void written(Writing writing) {
        try {
            writing.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
