package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("after a restart of the only process")
class SqliteRestartTest {
    private static final Duration AWAY = Duration.ofHours(3);

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock(START);
    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = directory.resolve("locks.db");
    }

    private RecordStore open() {
        return SqliteStore.open(file, SqliteConfig.exclusive("test").withTime(clock));
    }

    /** What a power cut leaves, in another place: the first process knows nothing of it. */
    private void crash() throws IOException {
        Path copy = directory.resolve("after-the-crash.db");
        Files.copy(file, copy);
        Files.copy(beside(file, "-wal"), beside(copy, "-wal"));
        file = copy;
        clock.advance(AWAY);
    }

    private static Path beside(Path path, String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }

    @Test
    @DisplayName("a lease has what was left at the last stored time, under a new stamp")
    void leaseHasWhatWasLeft() throws IOException, SQLException {
        try (RecordStore store = open()) {
            LockRecord before = put(store, held(key("a"), hold("a", START, START.plusSeconds(30))));
            clock.advance(Duration.ofSeconds(10));
            put(store, held(key("b")));
            clock.advance(Duration.ofSeconds(1)); // not stored: given to the holders
            crash();
            try (RecordStore restarted = open()) {
                Instant now = restarted.clock().now().orElseThrow().earliest();
                LockRecord after = read(restarted, key("a"));
                assertThat(after.holds().get(0).expiresAt()).isEqualTo(now.plusSeconds(20));
                assertThat(after.stamp()).isNotEqualTo(before.stamp()).isNotEqualTo(Stamp.NONE);
                assertThat(after)
                        .usingRecursiveComparison()
                        .ignoringFields("stamp", "holds")
                        .isEqualTo(before);
                assertThat(after.holds())
                        .usingRecursiveComparison()
                        .ignoringFields("expiresAt")
                        .isEqualTo(before.holds());
                assertThat(query(file, "select expires_at from holdfast_lock where name = 'a'"))
                        .containsExactly(Utc.text(now.plusSeconds(20)));
                assertThat(Locks.write(restarted, Locks.stamped(before, held(key("a")))))
                        .isInstanceOf(WriteResult.Refused.class);
            }
        }
    }

    @Test
    @DisplayName("what had expired stays expired")
    void expiredStaysExpired() throws IOException {
        try (RecordStore store = open()) {
            put(store, held(key("over"), hold("a", START, START.plusSeconds(30))));
            put(store, held(key("just"), hold("a", START, START.plusSeconds(60))));
            clock.advance(Duration.ofSeconds(60));
            put(store, held(key("other"), hold("a", START, START.plusSeconds(300))));
            crash();
            try (RecordStore restarted = open()) {
                Instant now = restarted.clock().now().orElseThrow().earliest();
                assertThat(expiry(restarted, "over")).isEqualTo(START.plusSeconds(30));
                assertThat(expiry(restarted, "just"))
                        .as("at its very end, not past it")
                        .isEqualTo(now);
            }
        }
    }

    @Test
    @DisplayName("what never expires stays so")
    void neverStaysNever() throws IOException {
        try (RecordStore store = open()) {
            put(store, held(key("a"), hold("terraform", START, Times.NEVER)));
            crash();
            try (RecordStore restarted = open()) {
                assertThat(expiry(restarted, "a")).isEqualTo(Times.NEVER);
            }
        }
    }

    private static Instant expiry(RecordStore store, String name) {
        return read(store, key(name)).holds().get(0).expiresAt();
    }

    @Test
    @DisplayName("offers, lingering holds and signs of life are moved like leases, and nothing else is changed")
    void everythingElse() throws IOException {
        Waiter waiter = new Waiter(
                LeaseId.ofBits(1, 2), Scope.WHOLE, "w", new EngineId("e1"), Duration.ofSeconds(2), START, true);
        Hold held = hold("a", START, START.plusSeconds(30));
        Hold offered = new Hold(
                waiter.leaseId(),
                waiter.scope(),
                waiter.owner(),
                new Token(4),
                START,
                START,
                START.plusSeconds(2),
                held.terms(),
                Hold.Phase.OFFERED,
                Optional.of(waiter),
                true);
        LockRecord record = new LockRecord(
                LockRecord.FORMAT,
                key("a"),
                new Stamp(1),
                new Token(9),
                List.of(offered, held.lingering(START.plusSeconds(7))),
                List.of(waiter),
                Map.of(new EngineId("e1"), START.plusSeconds(3), new EngineId("e2"), START.minusSeconds(3)),
                Past.NONE.with(LeaseId.ofBits(3, 4), LostReason.RELEASED, START),
                Map.of("later", "[1]"));
        try (RecordStore store = open()) {
            put(store, record);
            crash();
            try (RecordStore restarted = open()) {
                Instant now = restarted.clock().now().orElseThrow().earliest();
                LockRecord after = read(restarted, key("a"));
                assertThat(after.holds())
                        .extracting(Hold::expiresAt)
                        .containsExactly(now.plusSeconds(2), now.plusSeconds(7));
                assertThat(after.alive())
                        .isEqualTo(Map.of(
                                new EngineId("e1"), now.plusSeconds(3), new EngineId("e2"), START.minusSeconds(3)));
                assertThat(after)
                        .usingRecursiveComparison()
                        .ignoringFields("stamp", "holds", "alive")
                        .isEqualTo(record);
                assertThat(after.holds())
                        .usingRecursiveComparison()
                        .ignoringFields("expiresAt")
                        .isEqualTo(record.holds());
            }
        }
    }

    @Test
    @DisplayName("records of a newer format, and those that cannot be read, are left as they are")
    void leavesWhatItMayNotWrite() throws IOException, SQLException {
        try (RecordStore store = open()) {
            LockRecord mine = held(key("newer"));
            put(
                    store,
                    new LockRecord(
                            LockRecord.FORMAT + 1,
                            mine.key(),
                            mine.stamp(),
                            mine.fence(),
                            mine.holds(),
                            List.of(),
                            Map.of(),
                            Past.NONE,
                            Map.of()));
            put(store, held(key("damaged")));
            put(store, held(key("good")));
            Locks.sql(file, "update holdfast_lock set body = 'oops' where name = 'damaged'");
            crash();
            List<String> before = query(file, "select * from holdfast_lock where name <> 'good'");
            try (RecordStore restarted = open()) {
                assertThat(query(file, "select * from holdfast_lock where name <> 'good'"))
                        .isEqualTo(before);
                Instant now = restarted.clock().now().orElseThrow().earliest();
                assertThat(expiry(restarted, "good")).isEqualTo(now.plusSeconds(30));
            }
        }
    }

    @Test
    @DisplayName("thousands of leases are moved, all or none")
    void manyLeases() throws IOException, SQLException {
        try (RecordStore store = open()) {
            for (int batch = 0; batch < 5; batch++) {
                int first = batch * 500;
                Await.get(store.write(IntStream.range(first, first + 500)
                        .mapToObj(i -> Locks.absent(held(key("lock-" + i))))
                        .toList()));
            }
            crash();
            open().close();
            String left = Utc.text(START.plus(AWAY).plusSeconds(30));
            assertThat(query(file, "select count(*), min(expires_at), max(expires_at) from holdfast_lock"))
                    .containsExactly("2500|" + left + "|" + left);
        }
    }

    @Test
    @DisplayName("a clean close and start at once changes no lease by more than the time between")
    void cleanRestart() {
        try (RecordStore store = open()) {
            put(store, held(key("a"), hold("a", START, START.plusSeconds(30))));
            clock.advance(Duration.ofSeconds(10));
        }
        clock.advance(Duration.ofSeconds(5));
        try (RecordStore restarted = open()) {
            assertThat(expiry(restarted, "a")).isEqualTo(START.plusSeconds(35));
        }
    }

    @Test
    @DisplayName("opened shared, leases are left alone: the wall clock went on for them")
    void sharedChangesNothing() throws SQLException {
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        List<String> before = query(file, "select * from holdfast_lock");
        clock.advance(AWAY);
        SqliteStore.open(file, SqliteConfig.shared().withTime(clock)).close();
        assertThat(query(file, "select * from holdfast_lock")).isEqualTo(before);
    }
}
