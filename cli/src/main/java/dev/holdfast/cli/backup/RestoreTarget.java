package dev.holdfast.cli.backup;

import dev.holdfast.Stores;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.wire.backup.BackupPlace;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import dev.holdfast.wire.backup.RecordPages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store that a backup is restored into: what is in it, how it is emptied, and how it is written. Every write is on the condition that
 * nobody else writes there.
 */
record RestoreTarget(String url, RecordStore store, BackupDocuments.OpenDocuments documents) {
    private static final int BATCH = 500;

    /** What it has, all places together; {@code lastEvent} is 0 if it has no history. */
    record Contents(long locks, long lastEvent, List<PlaceContents> places, Token newest) {
        boolean isNone() {
            return inUse().isEmpty();
        }

        List<PlaceContents> inUse() {
            return places.stream().filter(place -> !place.isNone()).toList();
        }

        long documents() {
            return places.stream().mapToLong(PlaceContents::documents).sum();
        }
    }

    /**
     * What one place has.
     *
     * @param option what names it on the command line
     * @param locks what the locks and their history come to; empty if there are none, or they are elsewhere
     */
    record PlaceContents(String url, String option, Optional<String> locks, long documents) {
        boolean isNone() {
            return locks.isEmpty() && documents == 0;
        }

        /** Where, as it may be shown. */
        String shown() {
            return Stores.masked(url);
        }

        String told() {
            String counted = BackupText.count(documents, "document");
            return locks.map(it -> documents == 0 ? it : it + ", " + counted).orElse(counted);
        }
    }

    Contents look() {
        long[] counts = new long[2];
        Token[] newest = {Token.NONE};
        RecordPages.each(store, ScanRequest.all(), found -> {
            counts[0]++;
            counts[1] += found.record().holds().stream().anyMatch(Hold::isHeld) ? 1 : 0;
            newest[0] = DocumentPages.later(newest[0], found.record().fence());
        });
        long lastEvent = lastEvent();
        Optional<String> locks = counts[0] == 0 && lastEvent == 0
                ? Optional.empty()
                : Optional.of(BackupText.count(counts[0], "lock") + " (" + counts[1] + " held), "
                        + (lastEvent == 0 ? "no history" : "history"));
        List<PlaceContents> places = new ArrayList<>();
        for (BackupDocuments.OpenPlace place : documents.places()) {
            long[] found = {0};
            DocumentPages.each(place.documents().documents(), head -> {
                if (place.documents().names().test(head.name())) {
                    found[0]++;
                    newest[0] = DocumentPages.later(newest[0], DocumentPages.token(head.attributes()));
                }
            });
            places.add(new PlaceContents(
                    place.isBesideLocks() ? url : place.url(),
                    place.option(),
                    place.isBesideLocks() ? locks : Optional.empty(),
                    found[0]));
        }
        Token newestOfAll = DocumentPages.later(newest[0], EventPages.newest(store));
        return new Contents(counts[0], lastEvent, places, newestOfAll);
    }

    long lastEvent() {
        return store instanceof EventLog log
                ? Uninterruptibly.answer(log.events(EventQuery.newest(1))).stream()
                        .mapToLong(StoredEvent::number)
                        .findFirst()
                        .orElse(0)
                : 0;
    }

    // ---- emptying

    /** Takes away locks and documents; what somebody writes meanwhile stays, and is told. */
    List<String> clear() {
        List<String> refused = new ArrayList<>();
        RecordPages.eachPage(store, ScanRequest.all(), page -> {
            List<Write> deletes = new ArrayList<>();
            for (Versioned found : page) {
                LockRecord record = found.record();
                deletes.add(Write.delete(
                        record.key(), new Precondition.Stamped(record.stamp(), found.tag(), Optional.empty())));
            }
            write(deletes, refused);
        });
        for (BackupDocuments.OpenPlace open : documents.places()) {
            BackupPlace place = open.documents();
            List<DocumentHead> heads = new ArrayList<>();
            DocumentPages.each(place.documents(), head -> {
                if (place.names().test(head.name())) {
                    heads.add(new DocumentHead(head.name(), head.tag(), head.size(), Map.of()));
                }
            });
            for (DocumentHead head : heads) {
                WriteOutcome outcome =
                        place.documents().write(Change.delete(head.name(), Condition.tagged(head.tag())));
                if (!(outcome instanceof WriteOutcome.Written)) {
                    refused.add("Document '" + head.name() + "' changes while it is removed");
                }
            }
        }
        return refused;
    }

    /**
     * Takes away the history, but for one event that is written now, under a number above all others: so numbers only grow, also for who
     * has followed the events of before.
     */
    void begin(LockEvent told, long number, Instant now) {
        if (store instanceof EventLog log) {
            Uninterruptibly.answer(log.importAll(List.of(new StoredEvent(number, told))));
            Instant all = Times.later(now, Instant.now()).plus(Duration.ofDays(36_500));
            while (Uninterruptibly.answer(log.forget(all, BATCH)) > 0) {
                // until only the newest is left, which is the one above
            }
            // Where not even the newest is kept, it is written again.
            Uninterruptibly.answer(log.importAll(List.of(new StoredEvent(number, told))));
        }
    }

    // ---- writing

    void events(List<StoredEvent> events) {
        if (store instanceof EventLog log) {
            Uninterruptibly.answer(log.importAll(events));
        }
    }

    void fences(List<FencedToken> fences) {
        if (store instanceof FencedTokens all) {
            Uninterruptibly.answer(all.raiseFencedTokens(fences));
        }
    }

    Optional<String> document(String name, Map<String, String> attributes, byte[] content) {
        WriteOutcome outcome = documents.of(name).write(Change.put(name, Condition.absent(), content, attributes));
        return outcome instanceof WriteOutcome.Written
                ? Optional.empty()
                : Optional.of("Document '" + name + "' was written by somebody else meanwhile");
    }

    void locks(List<LockRecord> records, RestoredLock restored, List<String> refused) {
        write(
                records.stream()
                        .map(restored::of)
                        .map(record -> Write.create(record).withEvents(restored.events(record)))
                        .toList(),
                refused);
    }

    private void write(List<Write> writes, List<String> refused) {
        RecordPages.write(store, writes, (write, result) -> {
            if (result instanceof WriteResult.Refused) {
                RecordKey key = write.key();
                refused.add("Lock '" + key.name() + "' in '" + key.namespace() + "' is used by somebody else");
            }
        });
    }

    // ---- comparing

    /** Whether the lock is there as it should be; stamps are new with every write. */
    boolean has(LockRecord source, RestoredLock restored) {
        LockRecord wanted = restored.of(source);
        return Uninterruptibly.answer(store.read(source.key()))
                .map(Versioned::record)
                .filter(there -> there.equals(wanted.stamped(there.stamp())))
                .isPresent();
    }

    boolean has(String name, Map<String, String> attributes, byte[] content) {
        DocumentStore place = documents.of(name);
        Optional<Document> there = place.get(name);
        return there.isPresent()
                && there.get().head().attributes().equals(attributes)
                && Arrays.equals(there.get().content(), content);
    }
}
