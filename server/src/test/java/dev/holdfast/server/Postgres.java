package dev.holdfast.server;

import dev.holdfast.testkit.servers.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The PostgreSQL server of this test run, started when first needed. */
final class Postgres {
    private static @Nullable PostgresServer running;

    private Postgres() {}

    static synchronized PostgresServer server() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of these tests is for Linux on amd64");
        PostgresServer server = running;
        if (server == null) {
            server = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            running = server;
        }
        return server;
    }
}
