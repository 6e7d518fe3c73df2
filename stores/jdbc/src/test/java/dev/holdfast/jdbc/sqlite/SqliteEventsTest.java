package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the history in an SQLite file")
class SqliteEventsTest {
    private static final int EVENTS = 600;
    private static final List<EventType> TYPES = List.of(EventType.values());

    @TempDir
    Path directory;

    private Path file = Path.of("");
    private RecordStore store = MemoryStore.exclusive();

    @BeforeEach
    void open() {
        file = directory.resolve("locks.db");
        store = SqliteStore.open(file, SqliteConfig.shared());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private EventLog log() {
        return (EventLog) store;
    }

    /** Events ten seconds apart, of three locks, in nearly the order of their times. */
    private List<StoredEvent> write(Random random) {
        List<LockEvent> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            Instant at = START.plusSeconds(10L * i + random.nextInt(55));
            events.add(Locks.event(key("lock-" + i % 3), TYPES.get(random.nextInt(TYPES.size())), at));
        }
        Locks.put(store, held(key("writer")), events.toArray(LockEvent[]::new));
        List<StoredEvent> stored = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            stored.add(new StoredEvent(i + 1, events.get(i)));
        }
        return stored;
    }

    @Test
    @DisplayName("any question is answered as if every event were looked at")
    void sameAsLookingAtEach() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<StoredEvent> stored = write(random);
        for (int round = 0; round < 200; round++) {
            EventQuery query = new EventQuery(
                    random.nextBoolean() ? Optional.empty() : Optional.of("default"),
                    random.nextBoolean() ? Optional.empty() : Optional.of("lock-" + random.nextInt(4)),
                    random.nextInt(3) > 0 ? Optional.empty() : Optional.of(TYPES.get(random.nextInt(TYPES.size()))),
                    random.nextBoolean() ? Optional.empty() : Optional.of(time(random)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(time(random)),
                    random.nextBoolean() ? Optional.empty() : Optional.of((long) random.nextInt(EVENTS + 2)),
                    random.nextBoolean() ? Optional.empty() : Optional.of((long) random.nextInt(EVENTS + 2)),
                    1 + random.nextInt(EVENTS));
            List<StoredEvent> expected = new ArrayList<>(stored);
            if (query.after().isEmpty()) {
                Collections.reverse(expected);
            }
            expected.removeIf(event -> !query.matches(event.number(), event.event()));
            assertThat(Await.get(log().events(query)))
                    .as("seed %d, %s", seed, query)
                    .isEqualTo(expected.subList(0, Math.min(query.limit(), expected.size())));
        }
    }

    private static Instant time(Random random) {
        return START.plus(Duration.ofSeconds(random.nextInt((EVENTS + 20) * 10) - 100L));
    }

    @Test
    @DisplayName("events are read in the order of their numbers, never sorted; a time is found by halving them")
    void servedByIndexes() throws SQLException {
        String of = "explain query plan select * from holdfast_event where ";
        assertThat(query(file, of + "namespace = 'a' and name = 'b' and number < 9 order by number desc limit 5"))
                .singleElement()
                .asString()
                .contains("INTEGER PRIMARY KEY") // newest first, until there are enough
                .doesNotContain("TEMP B-TREE");
        assertThat(query(file, of + "number >= 7 and at >= 'x' order by number desc limit 5"))
                .singleElement()
                .asString()
                .contains("INTEGER PRIMARY KEY");
    }

    @Test
    @DisplayName("busy locks are listed by an index of them alone")
    void busyIsIndexed() throws SQLException {
        assertThat(query(
                        file,
                        "explain query plan select body from holdfast_lock where 1 = 1 and busy = 1"
                                + " and (namespace, name) > ('a', 'b') order by namespace, name limit 5"))
                .singleElement()
                .asString()
                .contains("holdfast_lock_busy");
    }

    @Test
    @DisplayName("gaps in the numbers hide nothing")
    void gaps() throws SQLException {
        List<StoredEvent> stored = write(new Random(1));
        Locks.sql(file, "delete from holdfast_event where number % 7 <> 3");
        Instant from = START.plus(Duration.ofMinutes(50));
        EventQuery query = new EventQuery(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(from),
                Optional.empty(),
                Optional.of(0L),
                Optional.empty(),
                1_000);
        assertThat(Await.get(log().events(query)))
                .isEqualTo(stored.stream()
                        .filter(event -> event.number() % 7 == 3 && query.matches(event.number(), event.event()))
                        .toList());
    }

    @Test
    @DisplayName("an event of a kind this version does not know is left out")
    void unknownKind() throws SQLException {
        List<StoredEvent> stored = write(new Random(1));
        Locks.sql(file, "update holdfast_event set type = 'invented-later' where number = 2");
        assertThat(Await.get(log().events(EventQuery.after(0, 2)))).containsExactly(stored.get(0));
    }

    @Test
    @DisplayName("forgetting goes from the oldest on, in parts, and tells how many")
    void forget() throws SQLException {
        write(new Random(1));
        Instant before = START.plus(Duration.ofMinutes(20));
        int gone = 0;
        int parts = 0;
        int last;
        do {
            last = Await.get(log().forget(before, 25));
            assertThat(last).isLessThanOrEqualTo(25);
            gone += last;
            parts++;
        } while (last == 25);
        assertThat(parts).isGreaterThan(3);
        assertThat(query(file, "select count(*) from holdfast_event")).containsExactly("" + (EVENTS - gone));
        assertThat(gone).isBetween(105, 120);
        assertThat(Await.get(log().forget(Instant.EPOCH, 25))).isZero();
    }

    @Test
    @DisplayName("forgetting in an empty history is no work")
    void forgetNothing() {
        assertThat(Await.get(log().forget(START, 25))).isZero();
    }
}
