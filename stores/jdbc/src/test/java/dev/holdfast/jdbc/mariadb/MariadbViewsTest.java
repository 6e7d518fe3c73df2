package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.TextViewCases;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.spi.RecordStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what people see in a MariaDB database")
class MariadbViewsTest extends TextViewCases {
    private String database = "";

    @Override
    protected RecordStore open() {
        database = Mariadb.server().freshDatabase();
        return MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
    }

    @Override
    protected List<String> query(String sql) throws SQLException {
        return Mariadb.query(database, sql);
    }

    @Test
    @DisplayName("a damaged row does not hide the others")
    void damagedRow() throws SQLException {
        put(store, held(key("good"), hold("a", START, LATER)));
        put(store, held(key("bad"), hold("b", START, LATER)));
        Mariadb.server().sql(database, "update holdfast_lock set body = 'garbage{' where name = 'bad'");
        assertThat(query("select lock_name from database_lock")).containsExactly("good");
        assertThat(query("select lock_name from distributed_locks")).containsExactly("good");
    }

    @Test
    @DisplayName("names, owners and labels of all languages are shown as they are")
    void unicode() throws SQLException {
        put(
                store,
                held(
                        key("Prüfung 検査 😀 "),
                        hold("Jürgen", LockPath.of("größe"), Mode.EXCLUSIVE, START, LATER, Map.of())));
        assertThat(query("select lock_name, pod_id from distributed_locks"))
                .containsExactly("Prüfung 検査 😀 /größe|Jürgen");
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
