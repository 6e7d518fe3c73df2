package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.KEY;
import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Lanes;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the time of an SQLite store")
class SqliteClockTest {
    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock(START);
    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = directory.resolve("locks.db");
    }

    private RecordStore shared() {
        return SqliteStore.open(file, SqliteConfig.shared().withTime(clock));
    }

    private RecordStore exclusive() {
        return SqliteStore.open(file, SqliteConfig.exclusive("test").withTime(clock));
    }

    private static Instant time(RecordStore store) {
        StoreClock.Reading reading = store.clock().now().orElseThrow();
        assertThat(reading.latest()).isEqualTo(reading.earliest());
        return reading.earliest();
    }

    private String stored() throws SQLException {
        return query(file, "select value from holdfast_meta where key = 'time'").get(0);
    }

    @Test
    @DisplayName("it is stored with every batch, in the same transaction")
    void storedWithEveryBatch() throws SQLException {
        try (RecordStore store = shared()) {
            clock.advance(Duration.ofSeconds(1));
            put(store, held(KEY));
            assertThat(stored()).isEqualTo("2026-01-01 00:00:01.000000");
        }
        try (RecordStore store = exclusive()) {
            clock.advance(Duration.ofSeconds(1));
            put(store, held(key("b")));
            assertThat(stored()).isEqualTo("2026-01-01 00:00:02.000000");
        }
    }

    @Test
    @DisplayName("a batch of which nothing is written stores no time either, and so costs no fsync")
    void refusedBatchStoresNothing() throws SQLException {
        try (RecordStore store = shared()) {
            put(store, held(KEY));
            String before = stored();
            clock.advance(Duration.ofSeconds(1));
            assertThat(Locks.write(store, Locks.absent(held(KEY)))).isInstanceOf(WriteResult.Refused.class);
            assertThat(stored()).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("a stored time that is none is refused by name")
    void damagedTime() throws SQLException {
        shared().close();
        Locks.sql(file, "update holdfast_meta set value = 'noon' where key = 'time'");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(this::shared)
                .withMessageContaining("'noon'");
        Locks.sql(file, "delete from holdfast_meta where key = 'time'");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(this::shared)
                .withMessageContaining("'time'");
    }

    @Nested
    @DisplayName("opened exclusively")
    class Exclusive {
        @Test
        @DisplayName("it starts at the wall time and runs on the monotonic clock, whatever becomes of the wall clock")
        void ownClock() {
            try (RecordStore store = exclusive()) {
                assertThat(time(store)).isEqualTo(START);
                clock.stepWall(Duration.ofHours(-2));
                clock.advance(Duration.ofSeconds(5));
                assertThat(time(store)).isEqualTo(START.plusSeconds(5));
                clock.stepWall(Duration.ofDays(3));
                assertThat(time(store)).isEqualTo(START.plusSeconds(5));
            }
        }

        @Test
        @DisplayName("after a restart it goes on above the stored time, though the wall clock was set back")
        void restartAfterStepBack() {
            try (RecordStore store = exclusive()) {
                clock.advance(Duration.ofSeconds(5));
                put(store, held(KEY));
            }
            clock.stepWall(Duration.ofHours(-2));
            try (RecordStore store = exclusive()) {
                assertThat(time(store)).isEqualTo(START.plusSeconds(5));
            }
        }

        @Test
        @DisplayName("it is stored every second while a lock is held, unless a batch just did")
        void timekeeper() throws SQLException {
            shared().close();
            SqliteBatch batch = new SqliteBatch(new OwnClock(clock, Instant.EPOCH));
            Lanes lane = lane();
            SqliteTimekeeper timekeeper = new SqliteTimekeeper(lane, batch, "test");
            timekeeper.tick();
            assertThat(stored()).as("nobody holds a lock").isEqualTo("1970-01-01 00:00:00.000000");

            LockRecord record = held(KEY, hold("a", START, START.plusSeconds(30)));
            lane.run("test", session -> batch.write(session, new ArrayList<>(List.of(Locks.absent(record)))));
            clock.advance(Duration.ofMillis(900));
            timekeeper.tick();
            assertThat(stored()).as("a batch just did").isEqualTo("2026-01-01 00:00:00.000000");
            clock.advance(Duration.ofMillis(100));
            timekeeper.tick();
            assertThat(stored()).isEqualTo("2026-01-01 00:00:01.000000");

            LockRecord idle = held(KEY, new Hold[0]);
            lane.run("test", session -> batch.write(session, new ArrayList<>(List.of(Locks.stamped(record, idle)))));
            clock.advance(Duration.ofSeconds(5));
            timekeeper.tick();
            assertThat(stored()).as("nobody holds it any more").isEqualTo("2026-01-01 00:00:01.000000");
            lane.close();
        }

        private Lanes lane() {
            return Lanes.of(new SqliteConnections(file, Duration.ofSeconds(2)), ConnectionRole.WRITER, 1, 1);
        }

        @Test
        @DisplayName("it is stored at the close, if a lock is held then")
        void storedAtClose() throws SQLException {
            try (RecordStore store = exclusive()) {
                put(store, held(KEY));
                clock.advance(Duration.ofMillis(500));
            }
            assertThat(stored()).isEqualTo("2026-01-01 00:00:00.500000");
        }

        @Test
        @DisplayName("in real time, a held lock makes the stored time follow by itself")
        void followsByItself() {
            try (RecordStore store = SqliteStore.open(file, SqliteConfig.exclusive("test"))) {
                put(store, held(KEY));
                Instant now = time(store);
                Await.until("the time was stored again", () -> {
                    try {
                        return Utc.time(stored()).isAfter(now);
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
            }
        }
    }

    @Nested
    @DisplayName("shared, on a machine whose monotonic clock is the same for all processes")
    class OfTheMachine {
        private RecordStore open(SettableClock local) {
            return open(local, "run-1");
        }

        private RecordStore open(SettableClock local, String machine) {
            return new SqliteDatabase(file, Locks.settings(SqliteConfig.shared().withTime(local)))
                    .locks(Optional.of(machine));
        }

        @Test
        @DisplayName("it runs on that clock, whatever becomes of the wall clock, also for who starts later")
        void wallClockDoesNotCount() {
            try (RecordStore first = open(clock)) {
                put(first, held(KEY));
                clock.stepWall(Duration.ofHours(1));
                try (RecordStore later = open(clock)) {
                    assertThat(time(later)).isEqualTo(START);
                    clock.stepWall(Duration.ofHours(-5));
                    clock.advance(Duration.ofSeconds(3));
                    assertThat(time(later)).isEqualTo(START.plusSeconds(3));
                    assertThat(time(first)).isEqualTo(START.plusSeconds(3));
                    put(later, held(key("b")));
                    put(first, held(key("c")));
                }
            }
        }

        @Test
        @DisplayName(
                "after a restart of the machine it goes on from the wall clock, or the stored time if that is later")
        void restart() {
            try (RecordStore store = open(clock)) {
                put(store, held(KEY));
            }
            SettableClock after = new SettableClock(START.plusSeconds(90));
            try (RecordStore store = open(after, "run-2")) {
                assertThat(time(store)).isEqualTo(START.plusSeconds(90));
                put(store, held(key("b")));
            }
            SettableClock wrong = new SettableClock(START.minusSeconds(90));
            try (RecordStore store = open(wrong, "run-3")) {
                assertThat(time(store)).isEqualTo(START.plusSeconds(90));
            }
        }

        @Test
        @DisplayName("while nobody holds or waits, the next to start puts it right; who had it open decides again")
        void putRight() {
            try (RecordStore first = open(clock)) {
                clock.stepWall(Duration.ofHours(8)); // the machine slept
                try (RecordStore later = open(clock)) {
                    assertThat(time(later)).isEqualTo(START.plus(Duration.ofHours(8)));
                    assertThat(time(first)).isEqualTo(START);
                    assertThatExceptionOfType(StoreUnavailableException.class)
                            .isThrownBy(() -> put(first, held(KEY)))
                            .withMessageContaining("decided again");
                    assertThat(Await.get(first.read(KEY))).isEmpty();
                    assertThat(time(first)).isEqualTo(time(later));
                    clock.advance(Duration.ofSeconds(6));
                    put(first, held(KEY));
                }
            }
        }

        @Test
        @DisplayName("a stored time that is ahead, as a server leaves it, moves it forward for all")
        void storedTimeAhead() {
            try (RecordStore first = open(clock);
                    RecordStore second = open(clock)) {
                sqlTime(START.plusSeconds(100));
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> put(first, held(KEY)));
                clock.advance(Duration.ofSeconds(6));
                put(first, held(KEY));
                assertThat(time(first)).isEqualTo(START.plusSeconds(106));
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> put(second, held(key("b"))));
                assertThat(time(second)).isEqualTo(time(first));
            }
        }

        private void sqlTime(Instant time) {
            try {
                Locks.sql(file, "update holdfast_meta set value = '" + Utc.text(time) + "' where key = 'time'");
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }

        @Test
        @DisplayName("who had the file alone leaves no reading of the clock behind")
        void afterAServer() {
            open(clock).close();
            clock.stepWall(Duration.ofSeconds(-100));
            try (RecordStore server = exclusive()) {
                put(server, held(KEY));
            }
            clock.stepWall(Duration.ofSeconds(50));
            try (RecordStore store = open(clock)) {
                assertThat(time(store)).isEqualTo(START.minusSeconds(50));
            }
        }

        @Test
        @DisplayName("views judge by it though the wall clock shows another time")
        void views() throws SQLException {
            SettableClock now = new SettableClock(Instant.now());
            try (RecordStore store = open(now)) {
                put(store, held(key("first"), hold("a", START, START)));
                now.stepWall(Duration.ofHours(1));
                Instant hourAgo = time(store); // the database's wall clock shows later than ours, by this test's clock
                put(store, held(key("b"), hold("b", hourAgo, hourAgo.plusSeconds(60))));
                assertThat(query(file, "select value from holdfast_meta where key = 'wall_correction'"))
                        .containsExactly("-3600");
            }
        }

        @Test
        @DisplayName("two real processes' worth of stores agree to the microsecond, by the real clock of this machine")
        void real() {
            Assumptions.assumeTrue(MachineId.ofThisProcess().isPresent(), "the run of this machine has no name");
            try (RecordStore one = SqliteStore.open(file, SqliteConfig.shared());
                    RecordStore two = SqliteStore.open(file, SqliteConfig.shared())) {
                Instant before = time(one);
                Instant between = time(two);
                Instant after = time(one);
                assertThat(between).isBetween(before, after);
                assertThat(Duration.between(before, Instant.now()).abs()).isLessThan(Duration.ofSeconds(5));
            }
        }
    }

    @Nested
    @DisplayName("shared")
    class Shared {
        @Test
        @DisplayName("it is the wall clock")
        void wallClock() {
            try (RecordStore store = shared()) {
                assertThat(time(store)).isEqualTo(START);
                clock.stepWall(Duration.ofSeconds(7));
                assertThat(time(store)).isEqualTo(START.plusSeconds(7));
            }
        }

        @Test
        @DisplayName(
                "after a step in either direction it judges nothing that was written before, and after a sleep neither")
        void steps() {
            try (RecordStore store = shared()) {
                assertThat(store.clock().now().orElseThrow().trustedSince()).isEqualTo(Instant.MIN);
                clock.advance(Duration.ofHours(1));
                assertThat(store.clock().now().orElseThrow().trustedSince()).isEqualTo(Instant.MIN);
                for (Duration step : List.of(Duration.ofMinutes(10), Duration.ofMinutes(-20), Duration.ofMillis(50))) {
                    clock.stepWall(step);
                    Instant stepped = time(store);
                    assertThat(store.clock().now().orElseThrow().trustedSince()).isEqualTo(stepped);
                    clock.advance(Duration.ofMinutes(1));
                    assertThat(store.clock().now().orElseThrow().trustedSince()).isEqualTo(stepped);
                }
            }
        }

        @Test
        @DisplayName("set back, it stands still at the stored time until the wall clock has caught up")
        void standsStill() {
            try (RecordStore store = shared()) {
                put(store, held(key("a")));
                clock.stepWall(Duration.ofSeconds(-10));
                assertThat(time(store)).isEqualTo(START);
                put(store, held(key("b")));
                clock.advance(Duration.ofSeconds(9));
                assertThat(time(store)).isEqualTo(START);
                clock.advance(Duration.ofSeconds(2));
                assertThat(time(store)).isEqualTo(START.plusSeconds(1));
            }
        }

        @Test
        @DisplayName("a process that starts after it was set back stands at the stored time too")
        void startsAtStoredTime() {
            try (RecordStore store = shared()) {
                put(store, held(key("a")));
                clock.stepWall(Duration.ofSeconds(-10));
                try (RecordStore later = shared()) {
                    assertThat(time(later)).isEqualTo(START);
                    put(later, held(key("b")));
                }
            }
        }

        @Test
        @DisplayName("set back, not before is judged by the stored time")
        void notBeforeAfterStepBack() {
            try (RecordStore store = shared()) {
                LockRecord record = put(store, held(KEY));
                clock.stepWall(Duration.ofSeconds(-10));
                assertThat(takeOver(store, record, START.plusMillis(1))).isInstanceOf(WriteResult.TooEarly.class);
                assertThat(takeOver(store, record, START)).isInstanceOf(WriteResult.Applied.class);
            }
        }

        private WriteResult takeOver(RecordStore store, LockRecord record, Instant notBefore) {
            Precondition late = new Precondition.Stamped(record.stamp(), "", Optional.of(notBefore));
            return Locks.write(store, Write.of(late, held(KEY)));
        }

        @Test
        @DisplayName("what was decided by a time before the one others have stored is refused, then decided anew")
        void staleDecisionIsRefused() {
            try (RecordStore behind = shared();
                    RecordStore ahead = shared()) {
                clock.advance(Duration.ofMinutes(5));
                put(ahead, held(key("a")));
                clock.stepWall(Duration.ofHours(-1));
                assertThat(time(behind))
                        .as("it has not heard of the later time")
                        .isBefore(START);

                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> put(behind, held(key("b"))))
                        .withMessageContaining("PT1H behind");
                assertThat(Await.get(behind.read(key("b")))).isEmpty();
                assertThat(time(behind)).isEqualTo(START.plus(Duration.ofMinutes(5)));

                assertThatExceptionOfType(StoreUnavailableException.class)
                        .as("another that was decided before the first was refused")
                        .isThrownBy(() -> put(behind, held(key("c"))));
                clock.advance(Duration.ofSeconds(6));
                put(behind, held(key("d")));
            }
        }

        @Test
        @DisplayName("a later time that others have stored meanwhile is no reason to refuse")
        void othersWriteMeanwhile() {
            try (RecordStore one = shared();
                    RecordStore two = shared()) {
                clock.advance(Duration.ofSeconds(1));
                put(two, held(key("a")));
                put(one, held(key("b")));
            }
        }
    }
}
