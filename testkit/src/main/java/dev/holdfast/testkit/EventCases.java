package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The history and the hints, of stores that have them. */
abstract class EventCases extends StoreCases {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void needsHistory() {
        assumeTrue(store() instanceof EventLog, "this store keeps no history");
    }

    private EventLog log() {
        return (EventLog) store();
    }

    @Test
    @DisplayName("every field of an event comes back as it was written")
    void everyFieldComesBack() {
        List<LockEvent> events = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            for (EventType type : EventType.values()) {
                events.add(random.event(KEY, type, START.plusSeconds(i)));
            }
        }
        put(random.busy(KEY, 5), events.toArray(LockEvent[]::new));
        assertThat(events(EventQuery.after(0, 1_000))).isEqualTo(events);
    }

    @Test
    @DisplayName("events are stored with applied writes only")
    void onlyWithAppliedWrites() {
        LockEvent good = event(KEY, EventType.ACQUIRED, 1);
        Versioned there = put(random.busy(KEY, 5), good);
        LockEvent bad = event(KEY, EventType.RELEASED, 2);
        LockRecord next = random.idle(KEY, 6);
        write(Write.of(is(elsewhere(there)), next).withEvents(List.of(bad)));
        write(Write.create(next).withEvents(List.of(bad)));
        Precondition later = new Precondition.Stamped(
                there.record().stamp(), there.tag(), Optional.of(earliest().plusSeconds(3_600)));
        write(Write.of(later, next).withEvents(List.of(bad)));
        assertThat(events(EventQuery.newest(10))).doesNotContain(bad).contains(good);
    }

    @Test
    @DisplayName("of a batch, the events of the applied writes are stored")
    void batchWithOneRefused() {
        RecordKey other = new RecordKey("default", "other");
        put(random.busy(other, 5));
        LockEvent good = event(KEY, EventType.ACQUIRED, 1);
        LockEvent bad = event(other, EventType.ACQUIRED, 1);
        Await.get(store().write(List.of(
                Write.create(random.busy(other, 6)).withEvents(List.of(bad)),
                Write.create(random.busy(KEY, 6)).withEvents(List.of(good)))));
        assertThat(events(EventQuery.newest(10))).containsExactly(good);
    }

    @Test
    @DisplayName("the newest come first; after a number, the oldest come first; numbers grow")
    void order() {
        List<LockEvent> written = writeTen();
        List<StoredEvent> newest = Await.get(log().events(EventQuery.newest(10)));
        List<StoredEvent> oldest = Await.get(log().events(EventQuery.after(0, 10)));
        assertThat(oldest.stream().map(StoredEvent::event)).containsExactlyElementsOf(written);
        assertThat(newest.get(0)).isEqualTo(oldest.get(9));
        assertThat(newest.get(9)).isEqualTo(oldest.get(0));
        for (int i = 1; i < oldest.size(); i++) {
            assertThat(oldest.get(i).number()).isGreaterThan(oldest.get(i - 1).number());
        }
    }

    @Test
    @DisplayName("events page forward and back by number, each once")
    void paging() {
        List<LockEvent> written = writeTen();
        List<LockEvent> forward = new ArrayList<>();
        long last = 0;
        for (int page = 0; page < 4; page++) {
            for (StoredEvent event : Await.get(log().events(EventQuery.after(last, 3)))) {
                forward.add(event.event());
                last = event.number();
            }
        }
        assertThat(forward).isEqualTo(written);
        assertThat(Await.get(log().events(EventQuery.after(last, 3)))).isEmpty();

        List<StoredEvent> newest = Await.get(log().events(EventQuery.newest(4)));
        EventQuery older = EventQuery.newest(100).before(newest.get(3).number());
        assertThat(events(older)).hasSize(6).first().isEqualTo(written.get(5));
    }

    @Test
    @DisplayName("events are found by lock, type and time, and all together")
    void filters() {
        RecordKey other = new RecordKey("other", "lock");
        RecordKey third = new RecordKey("default", "Lock");
        LockEvent one = event(KEY, EventType.ACQUIRED, 1);
        LockEvent two = event(KEY, EventType.RELEASED, 2);
        LockEvent three = event(other, EventType.ACQUIRED, 3);
        LockEvent four = event(third, EventType.ACQUIRED, 4);
        put(random.busy(KEY, 5), one, two);
        put(random.busy(other, 5), three);
        put(random.busy(third, 5), four);

        assertThat(events(EventQuery.newest(10).of("default", "lock"))).containsExactly(two, one);
        assertThat(events(EventQuery.newest(10).of("other", "lock"))).containsExactly(three);
        assertThat(events(EventQuery.newest(9).only(EventType.ACQUIRED))).containsExactly(four, three, one);
        assertThat(events(EventQuery.newest(9).between(START.plusSeconds(2), START.plusSeconds(4))))
                .as("from is within, to is not")
                .containsExactly(three, two);
        assertThat(events(EventQuery.newest(9)
                        .only(EventType.ACQUIRED)
                        .between(START, START.plusSeconds(4))
                        .of("default", "lock")))
                .containsExactly(one);
    }

    @Test
    @DisplayName(
            "events are found by what people call a hold: the name of its lock, its label, or its part of the lock sync")
    void labels() {
        RecordKey sync = new RecordKey("default", "sync");
        RecordKey other = new RecordKey("default", "sync-all");
        LockEvent all = labelled(sync, "", Map.of(), 1);
        LockEvent web = labelled(sync, "project/web", Map.of("more", "\"sync-all\""), 2);
        LockEvent named = labelled(KEY, "", Map.of("label", "sync-all"), 3);
        LockEvent renamed = labelled(sync, "", Map.of("label", "Größe \"x\" 'y' 🔒"), 4);
        LockEvent plain = labelled(other, "", Map.of("label", "nightly"), 5);
        LockEvent deep = labelled(sync, "project/web/api", Map.of(), 6);
        put(random.busy(sync, 5), all, web, renamed, deep);
        put(random.busy(KEY, 5), named);
        put(random.busy(other, 5), plain);

        assertThat(called("sync-all")).containsExactlyInAnyOrder(all, named, plain);
        assertThat(called("sync-project-web")).containsExactly(web);
        assertThat(called("sync-project-web/api")).containsExactly(deep);
        assertThat(called("sync-project-")).isEmpty();
        assertThat(called("sync")).containsExactlyInAnyOrder(all, web, renamed, deep);
        assertThat(called("nightly")).containsExactly(plain);
        assertThat(called("Nightly")).isEmpty();
        assertThat(called("Größe \"x\" 'y' 🔒")).containsExactly(renamed);
    }

    private List<LockEvent> called(String text) {
        return events(EventQuery.newest(10).called(text));
    }

    private LockEvent labelled(RecordKey key, String path, Map<String, String> metadata, int second) {
        LockEvent event = event(key, EventType.ACQUIRED, second);
        return new LockEvent(
                event.type(),
                key,
                Scope.of(LockPath.of(path), Mode.EXCLUSIVE),
                event.lease(),
                event.owner(),
                event.token(),
                event.at(),
                event.lasted(),
                event.actor(),
                event.reason(),
                metadata,
                event.request());
    }

    @Test
    @DisplayName("old events are forgotten, at most as many as asked, and no others")
    void forgetIsBounded() {
        List<LockEvent> written = writeTen();
        Instant before = written.get(6).at();
        assertThat(Await.get(log().forget(before, 4))).isEqualTo(4);
        assertThat(events(EventQuery.after(0, 100))).hasSize(6).containsAll(written.subList(6, 10));
        assertThat(Await.get(log().forget(before, 4))).isEqualTo(2);
        assertThat(Await.get(log().forget(before, 4))).isZero();
        assertThat(events(EventQuery.after(0, 100))).isEqualTo(written.subList(6, 10));
    }

    @Test
    @DisplayName("numbers go on growing after events were forgotten")
    void numbersOutliveEvents() {
        writeTen();
        long last = Await.get(log().events(EventQuery.newest(1))).get(0).number();
        Await.get(log().forget(Instant.parse("2100-01-01T00:00:00Z"), 100));
        RecordKey other = new RecordKey("default", "other");
        put(random.busy(other, 5), event(other, EventType.ACQUIRED, 99));
        assertThat(Await.get(log().events(EventQuery.after(last, 10)))).hasSize(1);
    }

    @Test
    @DisplayName(
            "events of another log are imported under their numbers, the same again changes nothing, and later numbers are greater")
    void imported() {
        List<StoredEvent> foreign = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            foreign.add(new StoredEvent(7 + 3L * i, event(KEY, EventType.ACQUIRED, i)));
        }
        Await.get(log().importAll(foreign.subList(0, 40)));
        Await.get(log().importAll(foreign.subList(30, 60)));
        Await.get(log().importAll(foreign));
        Await.get(log().importAll(List.of()));
        assertThat(Await.get(log().events(EventQuery.after(0, 100)))).isEqualTo(foreign);

        LockEvent next = event(KEY, EventType.RELEASED, 100);
        put(random.busy(KEY, 5), next);
        List<StoredEvent> newest = Await.get(log().events(EventQuery.newest(1)));
        assertThat(newest).singleElement().satisfies(it -> {
            assertThat(it.event()).isEqualTo(next);
            assertThat(it.number()).isGreaterThan(foreign.get(59).number());
        });
    }

    @Test
    @DisplayName("an imported event does not replace one that has its number, nor do numbers go back")
    void importedBesideOthers() {
        List<LockEvent> written = writeTen();
        List<StoredEvent> before = Await.get(log().events(EventQuery.after(0, 100)));
        Await.get(log().importAll(List.of(new StoredEvent(before.get(4).number(), event(KEY, EventType.FORCED, 50)))));
        assertThat(Await.get(log().events(EventQuery.after(0, 100)))).isEqualTo(before);
        assertThat(events(EventQuery.after(0, 100))).isEqualTo(written);
        put(random.busy(KEY, 5), event(KEY, EventType.RELEASED, 100));
        assertThat(Await.get(log().events(EventQuery.after(before.get(9).number(), 10))))
                .hasSize(1);
    }

    @Test
    @DisplayName("another client reads the same history")
    void secondClientReadsIt() {
        List<LockEvent> written = writeTen();
        try (RecordStore second = fixture().open()) {
            List<StoredEvent> seen = Await.get(((EventLog) second).events(EventQuery.after(0, 100)));
            assertThat(seen.stream().map(StoredEvent::event)).containsExactlyElementsOf(written);
        }
    }

    @Test
    @DisplayName("a write of another client, marked so, wakes the watchers, until they end")
    void hints() {
        assumeTrue(store() instanceof Watchable, "this store gives no hints");
        Queue<RecordKey> told = new ConcurrentLinkedQueue<>();
        try (RecordStore second = fixture().open()) {
            Watchable.Watch watch = ((Watchable) second).watch(new EngineId("e"), hint -> told.add(hint.key()));
            LockRecord record = random.busy(KEY, 5);
            write(Write.create(record).withWake(Watchable.Wake.EVERYBODY));
            Await.until("the watcher was told", () -> told.contains(KEY));
            watch.close();
            told.clear();
        }
        LockRecord next = random.busy(KEY, 6);
        write(Write.of(is(read(KEY).orElseThrow()), next).withWake(Watchable.Wake.EVERYBODY));
        assertThat(told).isEmpty();
    }

    @Test
    @DisplayName("a write that wakes one engine reaches that one; a record that comes along is the one stored")
    void hintForOne() {
        assumeTrue(store() instanceof Watchable, "this store gives no hints");
        Queue<Watchable.Hint> told = new ConcurrentLinkedQueue<>();
        EngineId one = new EngineId("one");
        Watchable.Wake wake = new Watchable.Wake(false, Set.of(one, new EngineId("other")));
        RecordKey big = new RecordKey("default", "big \u00e4\u4e2d \"{}\"");
        try (RecordStore second = fixture().open()) {
            Watchable.Watch watch = ((Watchable) second).watch(one, told::add);
            for (LockRecord next : List.of(random.record(KEY), random.crowded(big, 60))) {
                RecordKey key = next.key();
                LockRecord first = new LockRecord(
                        next.format(),
                        key,
                        new Stamp(next.stamp().value() ^ 1),
                        Token.NONE,
                        List.of(),
                        List.of(),
                        Map.of(),
                        next.past(),
                        Map.of());
                write(Write.create(first));
                write(Write.of(is(Versioned.of(first)), next).withSamePast(true).withWake(wake));
                Await.until(
                        "the engine was told of " + key,
                        () -> told.stream().anyMatch(hint -> hint.key().equals(key)));
                assertThat(told)
                        .filteredOn(hint -> hint.key().equals(key))
                        .allSatisfy(hint -> hint.record()
                                .ifPresent(sent ->
                                        assertThat(sent).isEqualTo(read(key).orElseThrow())));
            }
            watch.close();
        }
    }

    private List<LockEvent> writeTen() {
        List<LockEvent> written = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RecordKey key = new RecordKey("default", "lock-" + i);
            LockEvent one = event(key, EventType.ACQUIRED, 2 * i);
            LockEvent two = event(key, EventType.RELEASED, 2 * i + 1);
            put(random.busy(key, 5), one, two);
            written.add(one);
            written.add(two);
        }
        return written;
    }

    private LockEvent event(RecordKey key, EventType type, int second) {
        return random.event(key, type, START.plusSeconds(second));
    }

    private List<LockEvent> events(EventQuery query) {
        return Await.get(log().events(query)).stream().map(StoredEvent::event).toList();
    }
}
