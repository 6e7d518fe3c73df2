package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.SettableClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The views compare with the real wall clock, so the times here are after it or long before. */
@DisplayName("what people see in an SQLite file")
class SqliteViewsTest {
    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00.5Z");

    @TempDir
    Path directory;

    private Path file = Path.of("");
    private RecordStore store = MemoryStore.exclusive();

    @BeforeEach
    void open() {
        file = directory.resolve("locks.db");
        store = SqliteStore.open(file, SqliteConfig.shared().withTime(new SettableClock(START)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Hold part(String path, Mode mode, Map<String, String> metadata) {
        return hold("pod-1", LockPath.of(path), mode, START, LATER, metadata);
    }

    @Test
    @DisplayName("a row shows its first holder in plain columns, in UTC")
    void plainColumns() throws SQLException {
        put(store, held(key("nightly"), hold("web-3", START.plusNanos(123_456_000), LATER)));
        assertThat(query(
                        file,
                        "select id, namespace, name, fence, format, busy, owner, token, acquired_at, renewed_at,"
                                + " expires_at, past from holdfast_lock"))
                .containsExactly("1|default|nightly|5|1|1|web-3|5|2026-01-01 00:00:00.123456"
                        + "|2026-01-01 00:00:00.123456|2999-01-01 00:00:00.500000|");
    }

    @Test
    @DisplayName("a row nobody holds shows no holder")
    void idleRow() throws SQLException {
        put(store, held(key("idle"), new Hold[0]));
        assertThat(query(file, "select busy, owner, token, acquired_at, renewed_at, expires_at from holdfast_lock"))
                .containsExactly("0|null|null|null|null|null");
        assertThat(query(file, "select * from database_lock")).isEmpty();
        assertThat(query(file, "select * from distributed_locks")).isEmpty();
    }

    @Test
    @DisplayName("database_lock shows who holds a whole lock alone")
    void databaseLock() throws SQLException {
        put(store, held(key("policy_setup"), hold("4711_web", START, LATER)));
        assertThat(query(file, "select * from database_lock"))
                .containsExactly("1|policy_setup|4711_web|2026-01-01 00:00:00.000000|2999-01-01 00:00:00.500000");
        assertThat(query(file, "select id, lock_name, process_id, acquired_at, expires_at from database_lock"))
                .hasSize(1);
    }

    @Test
    @DisplayName("database_lock shows neither shared nor partial holds, so that a lock has one row")
    void databaseLockIsUnique() throws SQLException {
        put(store, held(key("shared"), part("", Mode.SHARED, Map.of()), part("", Mode.SHARED, Map.of())));
        put(store, held(key("permits"), part("", Mode.permit(3), Map.of())));
        put(store, held(key("parts"), part("a", Mode.EXCLUSIVE, Map.of()), part("b", Mode.EXCLUSIVE, Map.of())));
        assertThat(query(file, "select * from database_lock")).isEmpty();
        assertThat(query(file, "select lock_name from distributed_locks order by id"))
                .containsExactly("shared", "shared", "permits", "parts/a", "parts/b");
        assertThat(query(file, "select count(distinct id) from distributed_locks"))
                .containsExactly("5");
    }

    @Test
    @DisplayName("distributed_locks shows every holder with its times")
    void distributedLocks() throws SQLException {
        Hold renewed =
                hold("pod-7", START, START).claimed(hold("x", START, START).terms(), START.plusSeconds(10), LATER);
        put(store, held(key("sync-all"), renewed));
        assertThat(query(
                        file,
                        "select id, lock_name, pod_id, acquired_at, expires_at, renewed_at, is_active, created_at,"
                                + " updated_at from distributed_locks"))
                .containsExactly("1000|sync-all|pod-7|2026-01-01 00:00:00.000000|2999-01-01 00:00:00.500000"
                        + "|2026-01-01 00:00:10.000000|1|2026-01-01 00:00:00.000000|2026-01-01 00:00:10.000000");
    }

    @Test
    @DisplayName("a hold is named by its label, else by lock and paths, and outside the default namespace by that too")
    void lockNames() throws SQLException {
        put(
                store,
                held(
                        key("sync"),
                        part("project/ABC", Mode.EXCLUSIVE, Map.of("label", "sync-project-ABC")),
                        part("project/X\"Y", Mode.EXCLUSIVE, Map.of("other", "x"))));
        put(store, held(new RecordKey("billing", "run"), part("", Mode.EXCLUSIVE, Map.of())));
        put(store, held(new RecordKey("billing", "all"), part("", Mode.EXCLUSIVE, Map.of("label", "everything"))));
        Hold one = part("a", Mode.EXCLUSIVE, Map.of());
        Scope two = new Scope(List.of(LockPath.of("b/c"), LockPath.of("a")), Mode.EXCLUSIVE);
        put(store, held(new RecordKey("billing", "several"), with(one, two, Hold.Phase.HELD)));
        assertThat(query(file, "select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "sync-project-ABC",
                        "sync/project/X\"Y",
                        "billing:run",
                        "everything",
                        "billing:several/a, billing:several/b/c");
        assertThat(query(file, "select lock_name from database_lock order by id"))
                .containsExactly("billing:run", "everything");
    }

    @Test
    @DisplayName("is_active is 0 once a hold expired, and while it is only offered or lingers")
    void isActive() throws SQLException {
        put(store, held(key("1-held"), hold("a", START, LATER)));
        put(store, held(key("2-expired"), hold("b", START, START.plusSeconds(1))));
        put(store, held(key("3-never-ends"), hold("c", START, Times.NEVER)));
        Hold released = hold("d", START, LATER);
        put(store, held(key("4-lingers"), with(released, released.scope(), Hold.Phase.LINGERING)));
        assertThat(query(file, "select lock_name, is_active from distributed_locks order by lock_name"))
                .containsExactly("1-held|1", "2-expired|0", "3-never-ends|1", "4-lingers|0");
        assertThat(query(file, "select expires_at from database_lock where lock_name = '3-never-ends'"))
                .containsExactly("9999-12-31 23:59:59.000000");
    }

    @Test
    @DisplayName("a clock that is ahead of the machine's counts too: the stored time ends a hold")
    void storedTimeCounts() throws SQLException {
        store.close();
        Instant ahead = LATER.plus(Duration.ofDays(1));
        store = SqliteStore.open(file, SqliteConfig.shared().withTime(new SettableClock(ahead)));
        put(store, held(key("over"), hold("a", START, LATER)));
        assertThat(query(file, "select is_active from distributed_locks")).containsExactly("0");
    }

    @Test
    @DisplayName("the history is readable too, and never tells a lease id")
    void history() throws SQLException {
        Hold hold = hold("web-3", START, LATER);
        put(store, held(key("a"), hold), Locks.event(key("a"), EventType.ACQUIRED, START));
        assertThat(query(file, "select * from holdfast_event"))
                .containsExactly("1|2026-01-01 00:00:00.000000|acquired|default|a||exclusive|000000000000004d"
                        + "|worker-1|5|3000|worker-1||null|");
        assertThat(query(file, "select group_concat(lease) from holdfast_event").get(0))
                .doesNotContain(hold.leaseId().value());
    }

    @Test
    @DisplayName("the sqlite3 shell reads it all while the store is open")
    void readableInTheShell() throws Exception {
        put(store, held(key("a"), hold("web-3", START, LATER)));
        assertThat(shell("select lock_name, pod_id, is_active from distributed_locks"))
                .isEqualTo("a|web-3|1\n");
        assertThat(shell("select lock_name, process_id from database_lock")).isEqualTo("a|web-3\n");
        assertThat(shell("select name, owner from holdfast_lock")).isEqualTo("a|web-3\n");
    }

    private String shell(String sql) throws InterruptedException {
        try {
            Process shell = new ProcessBuilder("sqlite3", file.toString(), sql)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            shell.waitFor();
            return said;
        } catch (IOException e) {
            Assumptions.abort("there is no sqlite3 shell on this machine");
            return "";
        }
    }

    private static Hold with(Hold hold, Scope scope, Hold.Phase phase) {
        return new Hold(
                hold.leaseId(),
                scope,
                hold.owner(),
                hold.token(),
                hold.grantedAt(),
                hold.renewedAt(),
                hold.expiresAt(),
                hold.terms(),
                phase,
                hold.ticket(),
                hold.stale());
    }

    @Test
    @DisplayName("no name means two locks: one that would is used for neither")
    void namesAreUnique() throws SQLException {
        put(store, held(key("a"), part("", Mode.EXCLUSIVE, Map.of("label", "same"))));
        put(store, held(key("b"), part("", Mode.EXCLUSIVE, Map.of("label", "same"))));
        put(store, held(key("c"), part("", Mode.EXCLUSIVE, Map.of("label", "d"))));
        put(store, held(key("d"), part("", Mode.EXCLUSIVE, Map.of("label", "alone"))));
        put(store, held(key("e"), part("", Mode.EXCLUSIVE, Map.of("label", "[ns] x1"))));
        put(store, held(new RecordKey("ns", "x1"), part("", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("ns:x1"), part("", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("p"), part("q", Mode.EXCLUSIVE, Map.of())));
        put(store, held(key("p/q"), part("", Mode.EXCLUSIVE, Map.of())));
        assertThat(query(file, "select lock_name from database_lock order by id"))
                .containsExactly("a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "p/q");
        assertThat(query(file, "select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "[default#8] p/q", "[default] p/q");
    }
}
