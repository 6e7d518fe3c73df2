package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.absent;
import static dev.holdfast.jdbc.Locks.event;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static dev.holdfast.jdbc.Locks.stamped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.store.JdbcRecordStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("many records written at once to MariaDB")
class MariadbBatchTest {
    private String database = "";

    @BeforeEach
    void newDatabase() {
        database = Mariadb.server().freshDatabase();
    }

    private RecordStore open() {
        return MariadbStore.open(Mariadb.server().url(database), MariadbConfig.DEFAULT);
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("each is judged by itself, and only what was written is in the history, with")
    @ValueSource(strings = {"mariadb", "mysql"})
    void eachByItself(String driver) {
        String url = Mariadb.server().url(database).replaceFirst("mariadb", driver);
        try (RecordStore store = MariadbStore.open(url, MariadbConfig.DEFAULT)) {
            LockRecord fresh = put(store, held(new RecordKey("other", "it's \"quoted\" \\ and 🔒")));
            LockRecord stale = put(store, held(key("stale")));
            LockRecord gone = held(key("gone"));
            LockRecord due = put(store, held(key("due")));
            LockRecord early = put(store, held(key("early")));
            LockRecord idle = put(store, held(key("idle"), new Hold[0]));
            LockRecord deleted = put(store, held(key("deleted")));
            LockRecord there = put(store, held(key("there")));
            List<Write> writes = List.of(
                    logged(stamped(fresh, held(fresh.key()))),
                    logged(stamped(held(stale.key()), held(stale.key()))),
                    logged(stamped(gone, gone)),
                    logged(Write.of(at(due, Instant.now().minusSeconds(60)), held(due.key()))),
                    logged(Write.of(at(early, Instant.now().plusSeconds(600)), held(early.key()))),
                    logged(Write.of(new Precondition.IdleBelow(new Token(9), List.of()), held(idle.key()))),
                    logged(Write.delete(deleted.key(), Precondition.Stamped.as(Versioned.of(deleted)))),
                    logged(absent(held(there.key()))),
                    logged(absent(held(key("new")))),
                    logged(absent(held(key("newer")))));
            List<WriteResult> results = Await.get(store.write(writes));
            assertThat(results.stream().map(result -> result.getClass().getSimpleName()))
                    .containsExactly(
                            "Applied",
                            "Refused",
                            "Refused",
                            "Applied",
                            "TooEarly",
                            "Applied",
                            "Applied",
                            "Refused",
                            "Applied",
                            "Applied");
            for (int i = 0; i < writes.size(); i++) {
                Write write = writes.get(i);
                boolean applied = results.get(i) instanceof WriteResult.Applied;
                if (applied && write.record().isPresent()) {
                    assertThat(read(store, write.key()))
                            .isEqualTo(write.record().get());
                }
            }
            assertThat(results.get(1)).isEqualTo(new WriteResult.Refused(Await.get(store.read(stale.key()))));
            assertThat(Await.get(store.read(gone.key())))
                    .as("a record that is gone is not made anew")
                    .isEmpty();
            assertThat(Await.get(store.read(deleted.key()))).isEmpty();
            assertThat(read(store, early.key())).isEqualTo(early);
            assertThat(read(store, there.key())).isEqualTo(there);
            assertThat(Await.get(((EventLog) store).events(EventLog.EventQuery.after(0, 100))).stream()
                            .map(stored -> stored.event().key()))
                    .containsExactlyInAnyOrder(
                            fresh.key(), due.key(), idle.key(), deleted.key(), key("new"), key("newer"));
        }
    }

    private static Write logged(Write write) {
        return write.withEvents(List.of(event(write.key(), EventType.ACQUIRED, START)));
    }

    private static Precondition at(LockRecord before, Instant notBefore) {
        return new Precondition.Stamped(before.stamp(), "", Optional.of(notBefore));
    }

    @Test
    @DisplayName("a row keeps its number, and what it remembers if that is to stay")
    void keeps() throws SQLException {
        try (RecordStore store = open()) {
            List<LockRecord> all = List.of(put(store, held(key("a"))), put(store, held(key("b"))));
            Mariadb.server().sql(database, "update holdfast_lock set past = '{\"any\": 1}'");
            String rows = "select name, id, past from holdfast_lock order by name";
            List<String> before = Mariadb.query(database, rows);
            List<Write> same = all.stream()
                    .map(record -> stamped(record, held(record.key())).withSamePast(true))
                    .toList();
            assertThat(Await.get(store.write(same))).allMatch(WriteResult.Applied.class::isInstance);
            assertThat(Mariadb.query(database, rows)).isEqualTo(before);

            List<LockRecord> written =
                    same.stream().map(write -> write.record().orElseThrow()).toList();
            Await.get(store.write(written.stream()
                    .map(record -> stamped(record, held(record.key())))
                    .toList()));
            assertThat(Mariadb.query(database, "select distinct past from holdfast_lock"))
                    .containsExactly("");
        }
    }

    @Test
    @DisplayName("records too long for one statement are all written")
    void longRecords() {
        try (RecordStore store = open()) {
            Hold[] holds = new Hold[25];
            Map<String, String> metadata = Map.of("note", "long ".repeat(800));
            Arrays.setAll(
                    holds,
                    i -> hold("owner-" + i, LockPath.WHOLE, Mode.SHARED, START, START.plusSeconds(30), metadata));
            List<LockRecord> first = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                first.add(held(key("long-" + i), holds));
            }
            assertThat(Await.get(store.write(first.stream().map(Locks::absent).toList())))
                    .allMatch(WriteResult.Applied.class::isInstance);
            List<Write> next = first.stream()
                    .map(record -> stamped(record, held(record.key(), holds)))
                    .toList();
            assertThat(Await.get(store.write(next))).allMatch(WriteResult.Applied.class::isInstance);
            next.forEach(write -> assertThat(read(store, write.key()))
                    .isEqualTo(write.record().orElseThrow()));
        }
    }

    @Test
    @DisplayName("of two that write the same records, in whatever order, one wins each, and nobody fails")
    void sameRecords() {
        try (RecordStore one = open();
                RecordStore two = open()) {
            List<LockRecord> current = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                current.add(put(one, held(new RecordKey(i % 2 == 0 ? "even" : "odd", "lock-" + i))));
            }
            for (int round = 0; round < 30; round++) {
                List<Write> mine = current.stream()
                        .map(record -> stamped(record, held(record.key())))
                        .toList();
                List<Write> theirs = new ArrayList<>(current.stream()
                        .map(record -> stamped(record, held(record.key())))
                        .toList());
                Collections.reverse(theirs);
                CompletableFuture<List<WriteResult>> other =
                        CompletableFuture.supplyAsync(() -> Await.get(two.write(theirs)));
                List<WriteResult> results = Await.get(one.write(mine));
                List<WriteResult> others = Await.get(other);
                for (int i = 0; i < mine.size(); i++) {
                    int mirrored = mine.size() - 1 - i;
                    boolean won = results.get(i) instanceof WriteResult.Applied;
                    assertThat(List.of(results.get(i), others.get(mirrored)))
                            .satisfiesOnlyOnce(r -> assertThat(r).isInstanceOf(WriteResult.Applied.class))
                            .satisfiesOnlyOnce(r -> assertThat(r).isInstanceOf(WriteResult.Refused.class));
                    Write winner = won ? mine.get(i) : theirs.get(mirrored);
                    current.set(i, winner.record().orElseThrow());
                    assertThat(read(two, winner.key())).isEqualTo(current.get(i));
                }
            }
        }
    }

    @Test
    @DisplayName(
            "rows are found by their key, also in a small table, where others may have locked rows that are not ours")
    void byKey() throws SQLException {
        try (RecordStore store = open();
                Connection connection = Mariadb.server().connect(database)) {
            put(store, held(key("lock-1")));
            put(store, held(key("lock-2")));
            List<String> many =
                    IntStream.range(0, 100).mapToObj(i -> "lock-" + i).toList();
            Map<String, List<String>> names = Map.of("default", many, "other", many);
            try (PreparedStatement explain =
                    connection.prepareStatement("explain " + new MariadbRows("sysdate(6)").lockSql(names))) {
                int next = 1;
                for (Map.Entry<String, List<String>> group : names.entrySet()) {
                    explain.setString(next++, group.getKey());
                    for (String name : group.getValue()) {
                        explain.setString(next++, name);
                    }
                }
                try (ResultSet row = explain.executeQuery()) {
                    row.next();
                    assertThat(row.getString("type")).isEqualTo("range");
                    assertThat(row.getString("key")).isEqualTo("PRIMARY");
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("the number of statements does not depend on how many they are, with")
    @ValueSource(ints = {2, 50})
    void fewStatements(int count) {
        try (RecordStore store = open()) {
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                LockRecord record = put(store, held(key("lock-" + i)));
                writes.add(stamped(record, held(record.key()), event(record.key(), EventType.ACQUIRED, START)));
            }
            long before = statements(store);
            assertThat(Await.get(store.write(writes))).allMatch(WriteResult.Applied.class::isInstance);
            assertThat(statements(store) - before)
                    .as("lock, write, history, commit, and the question itself")
                    .isEqualTo(5);
        }
    }

    /** How many the connection for writing has sent. */
    private static long statements(RecordStore store) {
        return ((JdbcRecordStore) store)
                .writers.run(
                        "counting",
                        session -> session.first("show session status like 'Questions'", row -> row.getLong(2))
                                .orElseThrow());
    }
}
