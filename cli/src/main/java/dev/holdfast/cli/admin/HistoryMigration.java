package dev.holdfast.cli.admin;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * The history of one store in another: the same events under the same numbers, so that whoever follows events by number goes on
 * where it was. Nothing else is needed to know what was copied, and an interrupted copy goes on after the last page.
 */
record HistoryMigration(EventLog from, EventLog to) {
    /** Numbers grow with time, but for events of several processes at the same moment. */
    private static final Duration DISORDER = Duration.ofMinutes(1);

    /**
     * How much of it is there.
     *
     * @param events in the source
     * @param missing of these, those whose number is free in the target
     * @param through up to this number everything is there
     * @param own events of the target that are not the source's, nor were before the source forgot them
     * @param newest the greatest token in the source
     * @param different what is not the same under the same number, some of it
     */
    record Standing(
            long events, long missing, long through, Optional<StoredEvent> own, Token newest, List<String> different) {
        boolean isComplete() {
            return missing == 0 && different.isEmpty();
        }

        /** Why it cannot be copied: two histories in one would be in no order, by number or by time. */
        Optional<String> obstacle() {
            Optional<StoredEvent> first = isComplete() ? Optional.empty() : own;
            return first.map(
                    event -> "The target has a history of its own: event " + event.number() + " (" + told(event)
                            + ") is not the source's, and two histories do not become one. Copy into a store that was not used"
                            + " yet, or say --without-history to leave the source's behind");
        }
    }

    /** Walks through both by number. */
    Standing compare() {
        Comparison all = new Comparison();
        EventPages there = new EventPages(to);
        for (EventPages here = new EventPages(from); here.hasNext(); ) {
            all.add(here.next(), there);
        }
        while (there.hasNext()) {
            all.own(there.next());
        }
        return new Standing(all.events, all.missing, all.through, all.own, all.newest, all.different.all("events"));
    }

    private static final class Comparison {
        private long events;
        private long missing;
        private long through;
        private Optional<StoredEvent> own = Optional.empty();
        private Token newest = Token.NONE;
        private final MigrationProblems different = new MigrationProblems();

        private void add(StoredEvent event, EventPages there) {
            while (there.hasNext() && there.peek().number() < event.number()) {
                StoredEvent other = there.next();
                if (events > 0 || other.event().at().isAfter(event.event().at().plus(DISORDER))) {
                    own(other);
                }
            }
            events++;
            newest = DocumentPages.later(newest, event.event().token());
            if (!there.hasNext() || there.peek().number() != event.number()) {
                missing++;
                return;
            }
            StoredEvent copy = there.next();
            if (!copy.equals(event)) {
                own(copy);
                different.add("Event " + event.number() + " of the history differs: here " + told(event)
                        + ", in the target " + told(copy));
            } else if (missing == 0) {
                through = event.number();
            }
        }

        private void own(StoredEvent event) {
            own = own.or(() -> Optional.of(event));
        }
    }

    private static String told(StoredEvent stored) {
        LockEvent event = stored.event();
        return event.type().label() + " of '" + event.key() + "' at " + event.at();
    }

    /** Copies what is behind this number; {@code progress} hears how many events were written at a time. */
    void copy(long after, LongConsumer progress) {
        for (EventPages events = new EventPages(from, after); events.hasNext(); ) {
            List<StoredEvent> page = events.nextPage();
            Uninterruptibly.answer(to.importAll(page));
            progress.accept(page.size());
        }
    }

    List<String> differences() {
        Standing now = compare();
        List<String> told = new ArrayList<>(now.different());
        if (now.missing() > 0) {
            told.add(now.missing() + " of " + now.events() + " events are missing in the target's history");
        }
        return told;
    }
}
