package dev.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.AcquireOptions;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.CuttableLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("connections to a database server")
class ServerConnectionsTest {
    private static final int AT_REST = 2;

    /** Locks, waits, lists and reads documents, several at once, so that every connection there is gets used. */
    private static void work(LockClient locks, RecordStore store, DocumentStore documents) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        Consumer<AcquireOptions> patient = o -> o.waitUpTo(Duration.ofSeconds(30));
        for (int i = 0; i < 8; i++) {
            String name = "lock-" + i % 4;
            all.add(CompletableFuture.runAsync(() -> {
                for (int turn = 0; turn < 20; turn++) {
                    try (Lease lease = locks.acquire(name, patient)) {
                        lease.ensureValid();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }));
            all.add(CompletableFuture.runAsync(() -> {
                Await.get(store.scan(ScanRequest.all()));
                documents.list(ListRequest.of("", 10));
            }));
        }
        all.forEach(Await::get);
    }

    private static int ofPostgres(String database) {
        try {
            return Integer.parseInt(Postgres.query(
                            Postgres.newest().url(database),
                            "select count(*) - 1 from pg_stat_activity where datname = '" + database + "'")
                    .get(0));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "a process at rest keeps two to PostgreSQL, whatever it did before: one to read and write, one to listen")
    void postgresAtRest() {
        String database = Postgres.newest().freshDatabase();
        String url = Postgres.newest().url(database);
        RecordStore store = PostgresStore.open(url, PostgresConfig.DEFAULT);
        try (LockClient locks = LockClient.on(store, ClientConfig.DEFAULT);
                DocumentStore documents = DocumentStores.open(url)) {
            work(locks, store, documents);
            assertThat(ofPostgres(database)).isGreaterThan(AT_REST);
            Await.until("it is at rest", () -> ofPostgres(database) <= AT_REST);
            work(locks, store, documents); // and all of it works again
        }
        Await.until("all are closed", () -> ofPostgres(database) == 0);
    }

    @Test
    @DisplayName("a process at rest keeps two to MariaDB")
    void mariadbAtRest() {
        String database = Mariadb.server().freshDatabase();
        String url = Mariadb.server().url(database);
        String count = "select count(*) - 1 from information_schema.processlist where db = '" + database + "'";
        RecordStore store = MariadbStore.open(url, MariadbConfig.DEFAULT);
        try (LockClient locks = LockClient.on(store, ClientConfig.DEFAULT);
                DocumentStore documents = DocumentStores.open(url)) {
            work(locks, store, documents);
            Await.until("it is at rest", () -> {
                try {
                    return Integer.parseInt(Mariadb.query(database, count).get(0)) <= 2;
                } catch (SQLException e) {
                    throw new AssertionError(e);
                }
            });
        }
    }

    @Test
    @DisplayName("a server that is started later is waited for")
    void startedLater() throws Exception {
        String url = Postgres.newest().freshSchema();
        try (CuttableLine line = new CuttableLine(Postgres.newest().port())) {
            line.cut();
            String through = url.replace(":" + Postgres.newest().port() + "/", ":" + line.port() + "/");
            CompletableFuture<LockClient> connecting = CompletableFuture.supplyAsync(() -> LockClient.connect(through));
            Thread.sleep(500); // some attempts, each of which fails
            assertThat(connecting).isNotDone();
            line.heal();
            try (LockClient locks = connecting.get()) {
                locks.acquire("a").close();
            }
        }
    }

    @Test
    @DisplayName(
            "what waiting cannot mend is told at once: wrong password, unknown database, unknown host, unknown schema")
    void toldAtOnce() {
        String postgres = Postgres.newest().url("postgres");
        String mariadb = Mariadb.server().url(Mariadb.server().freshDatabase());
        List<String> wrong = List.of(
                Postgres.newest().url("nowhere"),
                postgres + "?currentSchema=nowhere",
                postgres.replaceFirst("@[^:/]+", "@no-such-host.invalid"),
                mariadb.replaceFirst("root@", "root:wrong@"),
                Mariadb.server().url("nowhere"),
                mariadb.replaceFirst("@[^:/]+", "@no-such-host.invalid"));
        for (String url : wrong) {
            long start = System.nanoTime();
            assertThatExceptionOfType(StoreUnusableException.class).as(url).isThrownBy(() -> Stores.open(url));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        }
    }
}
