package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tokens in a table of another database than the locks', which are in memory here. */
abstract class FencedTableCases {
    private static final LockKey LOCK = LockKey.of("default", "orders");

    private LockClient locks = LockClient.connect("memory:");
    private Connection connection;

    abstract Connection open() throws SQLException;

    abstract FenceDdl expected();

    @BeforeEach
    void table() throws SQLException {
        connection = open();
        run("create table orders (id integer primary key, status text not null)");
        run("insert into orders values (1, 'new'), (2, 'new')");
        for (String statement : FenceDdl.of(connection).addColumn("orders")) {
            run(statement);
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        locks.close();
    }

    private Lease acquire() {
        try {
            return locks.acquire(LOCK, o -> {});
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Lease lost() {
        Lease lease = acquire();
        assertThat(locks.inspect().forceUnlock(LOCK, lease.token(), "test")).isInstanceOf(Attempt.Done.class);
        return lease;
    }

    private int ship(Lease lease, int id) throws SQLException {
        return FencedUpdate.of("orders")
                .set("status = ?", "by " + lease.token())
                .where("id = ?", id)
                .run(connection, lease);
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> orders() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select status, fence from orders order by id")) {
            List<String> all = new ArrayList<>();
            while (row.next()) {
                all.add(row.getString(1) + " " + row.getLong(2));
            }
            return all;
        }
    }

    @Nested
    @DisplayName("a fenced update")
    class Update {
        @Test
        @DisplayName("writes the values and the token, as often as the holder likes")
        void applied() throws SQLException {
            Lease lease = acquire();
            assertThat(ship(lease, 1)).isEqualTo(1);
            assertThat(ship(lease, 1)).isEqualTo(1);
            assertThat(orders()).containsExactly("by " + lease.token() + " " + lease.token(), "new 0");
        }

        @Test
        @DisplayName("is refused once a later holder has written the row, and changes nothing")
        void stale() throws SQLException {
            Lease first = lost();
            Lease second = acquire();
            ship(second, 1);
            assertThatExceptionOfType(StaleLeaseException.class)
                    .isThrownBy(() -> ship(first, 1))
                    .withMessageContainingAll("'orders'", first.token() + " is stale", "with token " + second.token())
                    .satisfies(stale -> assertThat(stale.newer()).contains(second.token()));
            assertThat(orders().get(0)).isEqualTo("by " + second.token() + " " + second.token());
        }

        @Test
        @DisplayName("that only claims the row keeps an earlier holder out before anything else is written")
        void claim() throws SQLException {
            Lease first = lost();
            Lease second = acquire();
            assertThat(FencedUpdate.of("orders").where("id = ?", 1).run(connection, second))
                    .isEqualTo(1);
            assertThatExceptionOfType(StaleLeaseException.class).isThrownBy(() -> ship(first, 1));
            assertThat(orders()).containsExactly("new " + second.token(), "new 0");
        }

        @Test
        @DisplayName("of a row that does not exist returns 0")
        void missing() throws SQLException {
            assertThat(ship(acquire(), 3)).isZero();
        }

        @Test
        @DisplayName("of several rows is refused if a later holder has written one of them")
        void partlyStale() throws SQLException {
            Lease first = lost();
            Lease second = acquire();
            ship(second, 2);
            connection.setAutoCommit(false);
            assertThatExceptionOfType(StaleLeaseException.class)
                    .isThrownBy(() -> FencedUpdate.of("orders")
                            .set("status = ?", "late")
                            .where("id > ?", 0)
                            .run(connection, first));
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(orders()).containsExactly("new 0", "by " + second.token() + " " + second.token());
        }

        @Test
        @DisplayName("keeps its guard whatever the condition looks like")
        void guardStays() throws SQLException {
            Lease first = lost();
            ship(acquire(), 1);
            for (String condition : List.of("id = ? or id = 1", "id = ? -- the key")) {
                assertThatExceptionOfType(StaleLeaseException.class)
                        .as(condition)
                        .isThrownBy(() -> FencedUpdate.of("orders")
                                .set("status = 'late'")
                                .where(condition, 1)
                                .run(connection, first));
            }
        }

        @Test
        @DisplayName("of all rows by omission, or by a lease of several locks, is refused before it is sent")
        void misuse() throws Exception {
            Lease lease = acquire();
            assertThatIllegalStateException()
                    .isThrownBy(
                            () -> FencedUpdate.of("orders").set("status = 'x'").run(connection, lease))
                    .withMessageContaining("where");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FencedUpdate.of("orders").set(" "));
            try (Lease both =
                    locks.acquireAll(List.of(LockKey.of("default", "a"), LockKey.of("default", "b")), o -> {})) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> ship(both, 1))
                        .withMessageContaining("lease.each()");
            }
            assertThat(orders()).containsExactly("new 0", "new 0");
        }
    }

    @Nested
    @DisplayName("the trigger")
    class Trigger {
        @Test
        @DisplayName("refuses an update with a lower token, readably, and lets equal and higher ones pass")
        void refuses() throws SQLException {
            for (String statement : expected().addTrigger("orders")) {
                run(statement);
            }
            run("update orders set fence = 5 where id = 1");
            run("update orders set fence = 5, status = 'again' where id = 1");
            run("update orders set status = 'without' where id = 1");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> run("update orders set fence = 4, status = 'late' where id = 1"))
                    .withMessageContainingAll("Stale lease", "orders", "roll back")
                    .satisfies(e -> {
                        if (expected() != FenceDdl.SQLITE) {
                            assertThat(e.getSQLState()).isEqualTo(FenceDdl.SQL_STATE);
                        }
                    });
            run("update orders set fence = 6 where id = 1");
            assertThat(orders()).containsExactly("without 6", "new 0");
        }

        @Test
        @DisplayName("and the column can be added to a table with its schema, and a name that needs quotes")
        void schemaAndQuotes() throws SQLException {
            String schema = expected() == FenceDdl.SQLITE ? "main" : connection.getSchema();
            run("create table \"order\" (id integer)");
            for (String statement : expected().addColumn(schema + ".order")) {
                run(statement);
            }
            for (String statement : expected().addTrigger(schema + ".order")) {
                run(statement);
            }
            for (String statement : expected().addTrigger("orders")) {
                run(statement); // a second table in the same schema
            }
            run("insert into \"order\" values (1, 7)");
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> run("update \"order\" set fence = 6"))
                    .withMessageContaining("of order");
        }
    }

    @Test
    @DisplayName("a table name that is none is refused")
    void tableNames() {
        for (String name : List.of("", "a b", "a;b", "a\"", "1a", "a.b.c", "a.", ".a", "a".repeat(49))) {
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> expected().addColumn(name))
                    .withMessageContaining("schema.name");
            assertThatIllegalArgumentException()
                    .as(name)
                    .isThrownBy(() -> expected().addTrigger(name));
        }
    }
}
