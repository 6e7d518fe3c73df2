package dev.holdfast.jdbc;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.table.OwnTables;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a database from which somebody dropped a table of ours; the same on every kind. */
public abstract class LostTableCases {
    private static final List<String> TABLES =
            List.of("holdfast_lock", "holdfast_event", "holdfast_fence", "holdfast_meta");
    private static final List<String> VIEWS = List.of("database_lock", "distributed_locks");

    public abstract RecordStore open();

    public abstract SqlSchema schema();

    public abstract void sql(String statement) throws SQLException;

    public abstract List<String> query(String sql) throws SQLException;

    /** Removes a table, and the views on it where they would stand in the way. */
    public abstract void lose(String table) throws SQLException;

    private Token locked(String name) throws InterruptedException {
        try (LockClient locks = LockClient.on(open(), ClientConfig.DEFAULT);
                Lease lease = locks.acquire(name)) {
            return lease.token();
        }
    }

    @Test
    @DisplayName("a lost table is refused with the way out, until it is made anew with --repair; tokens go on growing")
    public void lostTable() throws Exception {
        Token before = locked("a");
        lose("holdfast_lock");
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(this::open)
                    .withMessageContainingAll(
                            "only a part", "'holdfast_lock'", "schema migrate --repair", "schema drop --yes", "backup");
        }
        assertThat(schema().repair())
                .singleElement()
                .asString()
                .contains("'holdfast_lock'", "all previous holders and waiters are forgotten");
        assertThat(locked("a")).isGreaterThan(before);
        assertThat(schema().repair()).isEmpty();
        assertThat(query("select lock_name from database_lock")).isEmpty();
    }

    @Test
    @DisplayName("any part of the tables and views can be made anew, and what is still there stays")
    public void anySubset() throws Exception {
        for (int lost = 1; lost < 1 << TABLES.size(); lost++) {
            try (RecordStore store = open()) {
                put(store, held(key("round-" + lost)));
            }
            List<String> gone = new ArrayList<>();
            for (int i = 0; i < TABLES.size(); i++) {
                if ((lost & 1 << i) != 0) {
                    gone.add(TABLES.get(i));
                    lose(TABLES.get(i));
                }
            }
            List<String> said = schema().repair();
            assertThat(said).as("%s", gone).hasSize(gone.size() == TABLES.size() ? 0 : gone.size());
            try (RecordStore store = open()) {
                if (!gone.contains("holdfast_lock")) {
                    assertThat(read(store, key("round-" + lost)).holds()).hasSize(1);
                }
                put(store, held(key("after-" + lost)));
            }
            for (String view : VIEWS) {
                assertThat(query("select count(*) from " + view))
                        .as("%s %s", gone, view)
                        .hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("what is left of the tables can be taken away, and a start makes all of them")
    public void dropPart() throws Exception {
        locked("a");
        lose("holdfast_lock");
        lose("holdfast_fence");
        schema().drop();
        locked("a");
        assertThat(query("select count(*) from holdfast_event").get(0)).isNotEqualTo("0");
    }

    @Test
    @DisplayName("a table that only looks like ours is never touched: neither made anew beside it, nor dropped")
    public void lookAlike() throws Exception {
        open().close();
        lose("holdfast_fence");
        sql("create table holdfast_fence (id integer, mine integer)");
        sql("insert into holdfast_fence values (1, 7)");
        for (Runnable act : List.<Runnable>of(this::open, schema()::repair, schema()::drop)) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(act::run)
                    .withMessageContainingAll("'holdfast_fence'", "not Holdfast's");
        }
        assertThat(query("select mine from holdfast_fence")).containsExactly("7");
        assertThat(query("select count(*) from holdfast_lock")).containsExactly("0");
    }

    @Test
    @DisplayName("views of an older version are replaced by the next start")
    public void olderViews() throws Exception {
        try (RecordStore store = open()) {
            put(store, held(key("a")));
        }
        String meta = query("select * from holdfast_meta").toString().toLowerCase(Locale.ROOT);
        assertThat(meta).contains("views|" + OwnTables.VIEWS);
        sql("drop view database_lock");
        sql(oldView());
        makeOld();
        open().close();
        assertThat(query("select lock_name from database_lock")).containsExactly("a");
    }

    /** The view of an earlier Holdfast, or something like it. */
    public String oldView() {
        return "create view database_lock as select id, name as lock_name, name as process_id, name as acquired_at,"
                + " name as expires_at from holdfast_lock where 1 = 0";
    }

    /** As if the views were of an earlier Holdfast. */
    public abstract void makeOld() throws SQLException;

    @Test
    @DisplayName("an own table of a view's name is told")
    public void hidden() throws Exception {
        assertThat(nothingHidden()).isEmpty();
        sql("drop view database_lock");
        sql("create table database_lock (mine integer)");
        open().close();
        assertThat(schema().hiddenViews()).containsExactly("database_lock");
    }

    private List<String> nothingHidden() {
        open().close();
        return schema().hiddenViews();
    }
}
