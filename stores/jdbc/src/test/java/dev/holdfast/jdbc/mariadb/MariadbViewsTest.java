package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Mariadb.query;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The views compare with the server's clock, so the times here are after it or long before. */
@DisplayName("what people see in a MariaDB database")
class MariadbViewsTest {
    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00.5Z");

    private String database = "";
    private RecordStore store = MemoryStore.exclusive();

    @BeforeEach
    void open() {
        database = Mariadb.server().freshDatabase();
        store = MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
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
                        database,
                        "select id, namespace, name, fence, format, busy, owner, token, acquired_at, renewed_at,"
                                + " expires_at, past from holdfast_lock"))
                .containsExactly("1|default|nightly|5|1|1|web-3|5|2026-01-01 00:00:00.123456"
                        + "|2026-01-01 00:00:00.123456|2999-01-01 00:00:00.500000|");
    }

    @Test
    @DisplayName("a row nobody holds shows no holder")
    void idleRow() throws SQLException {
        put(store, held(key("idle"), new Hold[0]));
        assertThat(query(database, "select busy, owner, token, acquired_at, renewed_at, expires_at from holdfast_lock"))
                .containsExactly("0|null|null|null|null|null");
        assertThat(query(database, "select * from database_lock")).isEmpty();
        assertThat(query(database, "select * from distributed_locks")).isEmpty();
    }

    @Test
    @DisplayName("database_lock shows who holds a whole lock alone")
    void databaseLock() throws SQLException {
        put(store, held(key("policy_setup"), hold("4711_web", START, LATER)));
        assertThat(query(database, "select * from database_lock"))
                .containsExactly("1|policy_setup|4711_web|2026-01-01 00:00:00.000000|2999-01-01 00:00:00.500000");
        assertThat(query(database, "select id, lock_name, process_id, acquired_at, expires_at from database_lock"))
                .hasSize(1);
    }

    @Test
    @DisplayName("database_lock shows neither shared nor partial holds, so that a lock has one row")
    void databaseLockIsUnique() throws SQLException {
        put(store, held(key("shared"), part("", Mode.SHARED, Map.of()), part("", Mode.SHARED, Map.of())));
        put(store, held(key("permits"), part("", Mode.permit(3), Map.of())));
        put(store, held(key("parts"), part("a", Mode.EXCLUSIVE, Map.of()), part("b", Mode.EXCLUSIVE, Map.of())));
        assertThat(query(database, "select * from database_lock")).isEmpty();
        assertThat(query(database, "select lock_name from distributed_locks order by id"))
                .containsExactly("shared", "shared", "permits", "parts/a", "parts/b");
        assertThat(query(database, "select count(distinct id) from distributed_locks"))
                .containsExactly("5");
    }

    @Test
    @DisplayName("distributed_locks shows every holder with its times")
    void distributedLocks() throws SQLException {
        Hold renewed =
                hold("pod-7", START, START).claimed(hold("x", START, START).terms(), START.plusSeconds(10), LATER);
        put(store, held(key("sync-all"), renewed));
        assertThat(query(
                        database,
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
        assertThat(query(database, "select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "sync-project-ABC",
                        "sync/project/X\"Y",
                        "billing:run",
                        "everything",
                        "billing:several/a, billing:several/b/c");
        assertThat(query(database, "select lock_name from database_lock order by id"))
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
        assertThat(query(database, "select lock_name, is_active from distributed_locks order by lock_name"))
                .containsExactly("1-held|1", "2-expired|0", "3-never-ends|1", "4-lingers|0");
        assertThat(query(database, "select expires_at from database_lock where lock_name = '3-never-ends'"))
                .containsExactly("9999-12-31 23:59:59.000000");
    }

    @Test
    @DisplayName("the history is readable too, and never tells a lease id")
    void history() throws SQLException {
        Hold hold = hold("web-3", START, LATER);
        put(store, held(key("a"), hold), Locks.event(key("a"), EventType.ACQUIRED, START));
        assertThat(query(database, "select * from holdfast_event"))
                .containsExactly("1|2026-01-01 00:00:00.000000|acquired|default|a||exclusive|000000000000004d"
                        + "|worker-1|5|3000|worker-1||null|");
        assertThat(query(database, "select group_concat(lease) from holdfast_event")
                        .get(0))
                .doesNotContain(hold.leaseId().value());
    }

    @Test
    @DisplayName("a damaged row does not hide the others")
    void damagedRow() throws SQLException {
        put(store, held(key("good"), hold("a", START, LATER)));
        put(store, held(key("bad"), hold("b", START, LATER)));
        Mariadb.server().sql(database, "update holdfast_lock set body = 'garbage{' where name = 'bad'");
        assertThat(query(database, "select lock_name from database_lock")).containsExactly("good");
        assertThat(query(database, "select lock_name from distributed_locks")).containsExactly("good");
    }

    @Test
    @DisplayName("names, owners and labels of all languages are shown as they are")
    void unicode() throws SQLException {
        put(
                store,
                held(
                        key("Prüfung 検査 😀 "),
                        hold("Jürgen", LockPath.of("größe"), Mode.EXCLUSIVE, START, LATER, Map.of())));
        assertThat(query(database, "select lock_name, pod_id from distributed_locks"))
                .containsExactly("Prüfung 検査 😀 /größe|Jürgen");
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
        assertThat(query(database, "select lock_name from database_lock order by id"))
                .containsExactly("a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "p/q");
        assertThat(query(database, "select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "a", "b", "c", "alone", "e", "[ns] x1", "[default] ns:x1", "[default#8] p/q", "[default] p/q");
    }

    @Test
    @DisplayName("a name that is longer than the server joins is cut off, and still means one thing")
    void cutOff() throws SQLException {
        String shared = "a".repeat(90);
        List<LockPath> first = IntStream.range(10, 25)
                .mapToObj(i -> LockPath.of(shared + "/" + i))
                .toList();
        put(
                store,
                held(
                        key("many"),
                        several(first, LockPath.of("z-1"), "pod-1", Mode.EXCLUSIVE),
                        several(first, LockPath.of("z-2"), "pod-2", Mode.EXCLUSIVE),
                        several(first, LockPath.of("z-3"), "pod-3", Mode.SHARED),
                        several(first, LockPath.of("z-3"), "pod-4", Mode.SHARED)));
        assertThat(namesJoinedTo(1024))
                .hasSize(4)
                .allSatisfy(name ->
                        assertThat(name).startsWith("many/" + shared + "/10, ").contains("... "))
                .satisfies(names -> assertThat(names.get(2)).isEqualTo(names.get(3)))
                .satisfies(names -> assertThat(Set.copyOf(names)).hasSize(3));
        assertThat(namesJoinedTo(1_000_000)).satisfies(names -> {
            assertThat(names.get(0)).endsWith(", many/z-1");
            assertThat(names.get(1)).endsWith(", many/z-2");
            assertThat(names.get(2)).endsWith(", many/z-3").isEqualTo(names.get(3));
        });
    }

    private static Hold several(List<LockPath> paths, LockPath last, String owner, Mode mode) {
        List<LockPath> all = new ArrayList<>(paths);
        all.add(last);
        Hold hold = hold(owner, LockPath.of("x"), mode, START, LATER, Map.of());
        return with(hold, new Scope(all, mode), Hold.Phase.HELD);
    }

    /** MySQL joins to 1024 bytes unless it is told otherwise, MariaDB to a million. */
    private List<String> namesJoinedTo(int bytes) throws SQLException {
        try (Connection connection = Mariadb.server().connect(database)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set session group_concat_max_len = " + bytes);
            }
            return Locks.rows(connection, "select lock_name from distributed_locks order by id");
        }
    }
}
