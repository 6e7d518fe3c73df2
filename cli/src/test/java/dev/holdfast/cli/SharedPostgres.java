package dev.holdfast.cli;

import dev.holdfast.testkit.servers.PostgresServer;
import java.util.Optional;

/** One PostgreSQL for all tests of this process that need a database or schema of their own, but no server of their own. */
public final class SharedPostgres {
    private static Optional<PostgresServer> running = Optional.empty();

    private SharedPostgres() {}

    public static synchronized PostgresServer server() {
        if (running.isEmpty()) {
            PostgresServer started = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            running = Optional.of(started);
        }
        return running.get();
    }
}
