package dev.holdfast.cli;

import dev.holdfast.model.Done;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * The history of one store as far as it was copied to another.
 *
 * <p>Stores take events only together with a record, so there is one for this purpose in the target: it says up to which
 * number of the source's events were copied, and changes in the same write as the events of each page are stored. An
 * interrupted copy goes on after the last whole page; nothing is copied twice. The record stays, held by nobody: so it is
 * known later that the history is there.
 *
 * <p>Events keep their times and everything they say. Their numbers are new.
 */
final class MigratedHistory {
    private static final String NAMESPACE = "holdfast-migrate";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final RecordStore to;
    private final RecordKey key;

    /** @param source names the store the history comes from; the same each time */
    MigratedHistory(RecordStore to, String source) {
        this.to = to;
        this.key =
                new RecordKey(NAMESPACE, "history-" + UUID.nameUUIDFromBytes(source.getBytes(StandardCharsets.UTF_8)));
    }

    /** The number of the last event that was copied; 0 before the first. */
    long through() {
        return StoreAnswers.of(to.read(key)).map(MigratedHistory::number).orElse(0L);
    }

    private static long number(Versioned stored) {
        return stored.record()
                .past()
                .done()
                .map(done -> Long.parseLong(done.generation()))
                .orElse(0L);
    }

    /** Copies what is not there yet; {@code progress} hears how many events were written at a time. */
    void copy(EventLog log, LongConsumer progress) {
        RecordPages.eachEvents(log, through(), page -> {
            write(page);
            progress.accept(page.size());
        });
    }

    private void write(List<EventLog.StoredEvent> page) {
        Optional<Versioned> before = StoreAnswers.of(to.read(key));
        Precondition unchanged = before.<Precondition>map(
                        old -> new Precondition.Stamped(old.record().stamp(), old.tag(), Optional.empty()))
                .orElseGet(Precondition.Absent::new);
        List<LockEvent> events = page.stream().map(EventLog.StoredEvent::event).toList();
        long number = page.get(page.size() - 1).number();
        Done through = new Done(
                Long.toString(number),
                "holdfast migrate",
                Token.NONE,
                events.get(events.size() - 1).at());
        LockRecord after = new LockRecord(
                LockRecord.FORMAT,
                key,
                new Stamp(RANDOM.nextLong() | 1),
                Token.NONE,
                List.of(),
                List.of(),
                Map.of(),
                new Past(List.of(), Optional.of(through)),
                Map.of());
        WriteResult result = StoreAnswers.of(
                        to.write(List.of(new Write(key, unchanged, Optional.of(after), events, false))))
                .get(0);
        if (result instanceof WriteResult.Failed failed) {
            throw failed.why();
        }
        if (!(result instanceof WriteResult.Applied)) {
            throw new IllegalArgumentException(
                    "Another 'holdfast migrate' copies the same history at the same time. Wait for it, then run this again");
        }
    }
}
