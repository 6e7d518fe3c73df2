package dev.holdfast.jdbc;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same where times are texts and the first holder has columns of its own: SQLite, MariaDB. */
public abstract class TextViewCases extends ViewCases {
    @Test
    @DisplayName("a row shows its first holder in plain columns, in UTC")
    void plainColumns() throws SQLException {
        put(store, held(key("nightly"), hold("web-3", START.plusNanos(123_456_000), LATER)));
        assertThat(query("select id, namespace, name, fence, format, busy, owner, token, acquired_at, renewed_at,"
                        + " expires_at, past from holdfast_lock"))
                .containsExactly("1|default|nightly|5|1|1|web-3|5|2026-01-01 00:00:00.123456"
                        + "|2026-01-01 00:00:00.123456|2999-01-01 00:00:00.500000|");
    }

    @Test
    @DisplayName("a row nobody holds shows no holder")
    void idleRow() throws SQLException {
        put(store, held(key("idle"), new Hold[0]));
        assertThat(query("select busy, owner, token, acquired_at, renewed_at, expires_at from holdfast_lock"))
                .containsExactly("0|null|null|null|null|null");
        assertThat(query("select * from database_lock")).isEmpty();
        assertThat(query("select * from distributed_locks")).isEmpty();
    }

    @Test
    @DisplayName("database_lock shows who holds a whole lock alone")
    void databaseLock() throws SQLException {
        put(store, held(key("policy_setup"), hold("4711_web", START, LATER)));
        assertThat(query("select * from database_lock"))
                .containsExactly("1|policy_setup|4711_web|2026-01-01 00:00:00.000000|2999-01-01 00:00:00.500000");
        assertThat(query("select id, lock_name, process_id, acquired_at, expires_at from database_lock"))
                .hasSize(1);
    }

    @Test
    @DisplayName("database_lock shows neither shared nor partial holds, so that a lock has one row")
    void databaseLockIsUnique() throws SQLException {
        put(store, held(key("shared"), part("", Mode.SHARED, Map.of()), part("", Mode.SHARED, Map.of())));
        put(store, held(key("permits"), part("", Mode.permit(3), Map.of())));
        put(store, held(key("parts"), part("a", Mode.EXCLUSIVE, Map.of()), part("b", Mode.EXCLUSIVE, Map.of())));
        assertThat(query("select * from database_lock")).isEmpty();
        assertThat(query("select lock_name from distributed_locks order by id"))
                .containsExactly("shared", "shared", "permits", "parts/a", "parts/b");
        assertThat(query("select count(distinct id) from distributed_locks")).containsExactly("5");
    }

    @Test
    @DisplayName("distributed_locks shows every holder with its times")
    void distributedLocks() throws SQLException {
        Hold renewed =
                hold("pod-7", START, START).claimed(hold("x", START, START).terms(), START.plusSeconds(10), LATER);
        put(store, held(key("sync-all"), renewed));
        assertThat(query("select id, lock_name, pod_id, acquired_at, expires_at, renewed_at, is_active, created_at,"
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
        assertThat(query("select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "sync-project-ABC",
                        "sync/project/X\"Y",
                        "billing:run",
                        "everything",
                        "billing:several/a, billing:several/b/c");
        assertThat(query("select lock_name from database_lock order by id"))
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
        assertThat(query("select lock_name, is_active from distributed_locks order by lock_name"))
                .containsExactly("1-held|1", "2-expired|0", "3-never-ends|1", "4-lingers|0");
        assertThat(query("select expires_at from database_lock where lock_name = '3-never-ends'"))
                .containsExactly("9999-12-31 23:59:59.000000");
    }

    @Test
    @DisplayName("the history is readable too, and never tells a lease id")
    void history() throws SQLException {
        Hold hold = hold("web-3", START, LATER);
        put(store, held(key("a"), hold), Locks.event(key("a"), EventType.ACQUIRED, START));
        assertThat(query("select * from holdfast_event"))
                .containsExactly("1|2026-01-01 00:00:00.000000|acquired|default|a||exclusive|000000000000004d"
                        + "|worker-1|5|3000|worker-1||null|");
        assertThat(query("select group_concat(lease) from holdfast_event").get(0))
                .doesNotContain(hold.leaseId().value());
    }
}
