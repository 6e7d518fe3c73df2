package dev.holdfast.jdbc.mariadb;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.Mariadb;
import dev.holdfast.jdbc.MariadbConfig;
import dev.holdfast.jdbc.MariadbStore;
import dev.holdfast.jdbc.MariadbStoreFactory;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("drivers and sources for MariaDB and MySQL")
class MariadbDriversTest {
    private String database = "";

    @BeforeEach
    void newDatabase() {
        database = Mariadb.server().freshDatabase();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("a batch, a refusal, a listing, the history and the clock work with")
    @ValueSource(
            strings = {
                "mariadb://",
                "mysql://",
                "mysql://?rewriteBatchedStatements=true",
                "mysql://?useServerPrepStmts=true",
                "mysql://?useAffectedRows=true",
                "mariadb://?useServerPrepStmts=true",
                "mariadb://?useServerPrepStmts=true&useBulkStmts=true",
                "mariadb://?useAffectedRows=true"
            })
    void works(String form) throws SQLException {
        String scheme = form.substring(0, form.indexOf(':'));
        String parameters = form.substring(form.indexOf("//") + 2);
        String url = Mariadb.server().url(database).replaceFirst("mariadb", scheme) + parameters;
        MariadbStoreFactory factory = new MariadbStoreFactory();
        assertThat(factory.accepts(url)).isTrue();
        try (RecordStore store = factory.open(url)) {
            List<LockRecord> first = new ArrayList<>();
            List<Write> inserts = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                LockRecord record = held(key("lock-" + (char) ('a' + i)));
                first.add(record);
                inserts.add(
                        Locks.absent(record, Locks.event(record.key(), EventType.ACQUIRED, START.plusNanos(1_000))));
            }
            assertThat(Await.get(store.write(inserts))).allMatch(WriteResult.Applied.class::isInstance);

            LockRecord stolen = held(first.get(7).key());
            Locks.write(store, Locks.stamped(first.get(7), stolen));
            List<Write> updates = new ArrayList<>();
            first.forEach(record -> updates.add(Locks.stamped(record, held(record.key()))));
            List<WriteResult> results = Await.get(store.write(updates));
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i)).isInstanceOf(i == 7 ? WriteResult.Refused.class : WriteResult.Applied.class);
            }
            assertThat(read(store, first.get(7).key())).isEqualTo(stolen);
            assertThat(Await.get(store.scan(ScanRequest.all())).records()).hasSize(20);
            assertThat(Await.get(((EventLog) store).events(EventLog.EventQuery.after(0, 100))))
                    .hasSize(20)
                    .allMatch(event -> event.event().at().equals(START.plusNanos(1_000)));
            Await.get(store.clock().measure());
            Instant now = store.clock().now().orElseThrow().latest();
            assertThat(Duration.between(now, Instant.now()).abs()).isLessThan(Duration.ofSeconds(2));
            assertThat(Await.get(((EventLog) store).forget(Instant.now(), 100))).isEqualTo(19);
        }
    }

    @Test
    @DisplayName(
            "the driver a URL names is used if it is there, else the other; with none, the message says what to add")
    void choice() {
        assertThat(MariadbDriver.parse("mysql://u@h/d", jdbc -> true).jdbc()).isEqualTo("jdbc:mysql://h/d");
        assertThat(MariadbDriver.parse("mysql://u@h/d", jdbc -> jdbc.startsWith("jdbc:mariadb:"))
                        .jdbc())
                .isEqualTo("jdbc:mariadb://h/d");
        assertThat(MariadbDriver.parse("jdbc:mysql://h/d?x=1", jdbc -> jdbc.startsWith("jdbc:mariadb:"))
                        .jdbc())
                .isEqualTo("jdbc:mariadb://h/d?x=1");
        assertThat(MariadbDriver.parse("mariadb://h/d", jdbc -> jdbc.startsWith("jdbc:mysql:"))
                        .jdbc())
                .isEqualTo("jdbc:mysql://h/d");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> MariadbDriver.parse("mysql://u:secret@h/d", jdbc -> false))
                .withMessageContainingAll(
                        "org.mariadb.jdbc:mariadb-java-client", "com.mysql:mysql-connector-j", "u:***@h")
                .withMessageNotContaining("secret");
    }

    @Test
    @DisplayName("connections of a pool come back as they were")
    void poolGetsItsConnectionsBack() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:" + Mariadb.server().url(database).replace("root@", ""));
        config.setUsername("root");
        config.setMaximumPoolSize(5);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String before = settings(pool);
            try (RecordStore store = MariadbStore.open(pool, MariadbConfig.DEFAULT)) {
                put(store, held(key("a")));
                Await.get(store.scan(ScanRequest.all()));
            }
            List<Connection> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                assertThat(settings(connection)).isEqualTo(before);
                connection.close();
            }
        }
    }

    private static String settings(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return settings(connection);
        }
    }

    private static String settings(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select concat_ws(' ', @@time_zone, @@tx_isolation, @@autocommit,"
                                + " @@innodb_lock_wait_timeout, @@max_statement_time, @@sql_mode, @@wait_timeout)")) {
            row.next();
            return row.getString(1) + " " + connection.getNetworkTimeout() + " " + connection.getAutoCommit();
        }
    }
}
