package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.testkit.servers.PostgresServer;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayName("ShedLock on locks in PostgreSQL, through a DataSource of the application")
class PostgresShedLockTest extends ShedLockContract {
    private static PostgresServer server;
    private static PGSimpleDataSource source;
    private static LockClient locks;

    @BeforeAll
    static void open() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        server = PostgresServer.builder().quick().start();
        source = new PGSimpleDataSource();
        source.setPortNumbers(new int[] {server.port()});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        locks = LockClient.on(PostgresStore.open(source, PostgresConfig.DEFAULT), ClientConfig.DEFAULT);
    }

    @AfterAll
    static void close() {
        if (locks != null) {
            locks.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Override
    LockClient client() {
        return locks;
    }

    @Test
    @DisplayName("from ShedLock's table to Holdfast, a job never runs in processes of two releases at the same time")
    void rollOver() {
        server.sql(
                "postgres",
                "create table shedlock(name varchar(64) primary key, lock_until timestamp not null,"
                        + " locked_at timestamp not null, locked_by varchar(255) not null)");
        LockProvider before = new JdbcTemplateLockProvider(source);
        LockProvider between =
                new RollOverLockProvider(new JdbcTemplateLockProvider(source), new HoldfastLockProvider(locks));
        excludeEachOther(before, between);
        excludeEachOther(between, new HoldfastLockProvider(locks));
    }

    private void excludeEachOther(LockProvider one, LockProvider other) {
        SimpleLock held = one.lock(lockConfig(LOCK_NAME1)).orElseThrow();
        assertThat(other.lock(lockConfig(LOCK_NAME1))).isEmpty();
        held.unlock();
        held = other.lock(lockConfig(LOCK_NAME1)).orElseThrow();
        assertThat(one.lock(lockConfig(LOCK_NAME1))).isEmpty();
        held.unlock();
        one.lock(lockConfig(LOCK_NAME1)).orElseThrow().unlock();
    }
}
