package dev.holdfast.shedlock;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.testkit.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayName("ShedLock on locks in PostgreSQL, through a DataSource of the application")
class PostgresShedLockTest extends ShedLockContract {
    private static PostgresServer server;
    private static LockClient locks;

    @BeforeAll
    static void open() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        server = PostgresServer.builder().quick().start();
        PGSimpleDataSource source = new PGSimpleDataSource();
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
}
