package dev.holdfast.wire.backup;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import java.util.HashMap;
import java.util.Map;

/** Counts what is written or read. A document may come again, or be gone later: the last word counts. */
final class BackupCount {
    private long locks;
    private long held;
    private long events;
    private long fences;
    private int entries;
    private Token newest = Token.NONE;
    private final Map<String, Entry> documents = new HashMap<>();

    private record Entry(int ordinal, long size) {}

    void lock(LockRecord record) {
        locks++;
        held += record.holds().stream().anyMatch(Hold::isHeld) ? 1 : 0;
        saw(record.fence());
    }

    void event(StoredEvent event) {
        events++;
        saw(event.event().token());
    }

    void fence(FencedToken fence) {
        fences++;
        saw(fence.token());
    }

    /** How many came before. */
    int document(String name, long size, Map<String, String> attributes) {
        saw(DocumentPages.token(attributes));
        documents.put(name, new Entry(entries, size));
        return entries++;
    }

    void gone(String name) {
        documents.remove(name);
    }

    private void saw(Token token) {
        newest = DocumentPages.later(newest, token);
    }

    BackupTotals totals() {
        long bytes = documents.values().stream().mapToLong(Entry::size).sum();
        return new BackupTotals(locks, held, events, fences, documents.size(), bytes, newest);
    }

    Map<String, Integer> latest() {
        Map<String, Integer> latest = new HashMap<>();
        documents.forEach((name, entry) -> latest.put(name, entry.ordinal()));
        return Map.copyOf(latest);
    }
}
