package dev.holdfast.jdbc.postgres;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.jdbc.ViewCases;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.spi.RecordStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what people see in PostgreSQL")
class PostgresViewsTest extends ViewCases {
    private String url = "";

    @Override
    protected RecordStore open() {
        url = Postgres.newest().freshSchema();
        return PostgresStore.open(url, PostgresConfig.DEFAULT);
    }

    @Override
    protected List<String> query(String sql) throws SQLException {
        return Postgres.query(url + "&options=-c%20timezone=UTC", sql);
    }

    @Test
    @DisplayName("holdfast_holder shows every holder of every lock, in columns")
    void holders() throws SQLException {
        put(store, held(key("nightly"), hold("web-3", START.plusNanos(123_456_000), LATER)));
        put(store, held(key("idle"), new Hold[0]));
        assertThat(query("select id, namespace, name, path, mode, owner, token, acquired_at at time zone 'UTC',"
                        + " renewed_at at time zone 'UTC', expires_at at time zone 'UTC', phase, reason, metadata"
                        + " from holdfast_holder"))
                .containsExactly("1000|default|nightly||exclusive|web-3|5|2026-01-01 00:00:00.123456"
                        + "|2026-01-01 00:00:00.123456|2999-01-01 00:00:00.5|||null");
    }

    @Test
    @DisplayName("database_lock shows who holds a whole lock alone, one row per lock")
    void databaseLock() throws SQLException {
        put(store, held(key("policy_setup"), hold("4711_web", START, LATER)));
        put(store, held(key("shared"), part("", Mode.SHARED, Map.of()), part("", Mode.SHARED, Map.of())));
        put(store, held(key("parts"), part("a", Mode.EXCLUSIVE, Map.of()), part("b", Mode.EXCLUSIVE, Map.of())));
        assertThat(query(
                        "select id, lock_name, process_id, acquired_at at time zone 'UTC', expires_at at time zone 'UTC'"
                                + " from database_lock"))
                .containsExactly("1|policy_setup|4711_web|2026-01-01 00:00:00|2999-01-01 00:00:00.5");
    }

    @Test
    @DisplayName("distributed_locks shows every holder with its times, under its label or its lock and paths")
    void distributedLocks() throws SQLException {
        Hold renewed =
                hold("pod-7", START, START).claimed(hold("x", START, START).terms(), START.plusSeconds(10), LATER);
        put(store, held(key("sync-all"), renewed));
        put(
                store,
                held(
                        key("sync"),
                        part("project/ABC", Mode.EXCLUSIVE, Map.of("label", "sync-project-ABC")),
                        part("project/X\"Y", Mode.EXCLUSIVE, Map.of("other", "x"))));
        put(store, held(new RecordKey("billing", "run"), part("", Mode.EXCLUSIVE, Map.of())));
        Scope two = new Scope(List.of(LockPath.of("b/c"), LockPath.of("a")), Mode.EXCLUSIVE);
        put(
                store,
                held(
                        new RecordKey("billing", "several"),
                        with(part("a", Mode.EXCLUSIVE, Map.of()), two, Hold.Phase.HELD)));
        assertThat(query("select lock_name, pod_id, acquired_at at time zone 'UTC', expires_at at time zone 'UTC',"
                        + " renewed_at at time zone 'UTC', is_active, created_at = acquired_at, updated_at = renewed_at"
                        + " from distributed_locks where pod_id = 'pod-7'"))
                .containsExactly("sync-all|pod-7|2026-01-01 00:00:00|2999-01-01 00:00:00.5|2026-01-01 00:00:10|t|t|t");
        assertThat(query("select lock_name from distributed_locks order by id"))
                .containsExactly(
                        "sync-all",
                        "sync-project-ABC",
                        "sync/project/X\"Y",
                        "billing:run",
                        "billing:several/a, billing:several/b/c");
    }

    @Test
    @DisplayName("is_active is false once a hold expired, by the server's clock")
    void isActive() throws SQLException {
        put(store, held(key("1-held"), hold("a", START, LATER)));
        put(store, held(key("2-expired"), hold("b", START, START.plusSeconds(1))));
        put(store, held(key("3-never-ends"), hold("c", START, Times.NEVER)));
        assertThat(query("select lock_name, is_active from distributed_locks order by lock_name"))
                .containsExactly("1-held|t", "2-expired|f", "3-never-ends|t");
    }

    @Test
    @DisplayName("the history is readable too, and never tells a lease id")
    void history() throws SQLException {
        Hold hold = hold("web-3", START, LATER);
        put(store, held(key("a"), hold), Locks.event(key("a"), EventType.ACQUIRED, START));
        assertThat(query("select number, at at time zone 'UTC', type, namespace, name, path, mode, lease, owner, token,"
                        + " lasted_us, actor, reason, metadata, request from holdfast_history"))
                .containsExactly("1|2026-01-01 00:00:00|acquired|default|a||exclusive|000000000000004d"
                        + "|worker-1|5|3000|worker-1||null|");
        assertThat(query("select string_agg(detail::text, ',') from holdfast_event")
                        .get(0))
                .doesNotContain(hold.leaseId().value());
    }
}
