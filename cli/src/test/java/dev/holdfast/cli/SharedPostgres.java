package dev.holdfast.cli;

import dev.holdfast.testkit.servers.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** One PostgreSQL for all tests of this process that need a database or schema of their own, but no server of their own. */
public final class SharedPostgres {
    /** The version on the class path. */
    private static final int NEWEST = 18;
    /** The one that is fetched beside it. */
    private static final int OLDEST = 14;

    private static final Map<Integer, PostgresServer> RUNNING = new ConcurrentHashMap<>();

    private SharedPostgres() {}

    public static PostgresServer server() {
        return version(NEWEST);
    }

    /** One that a tool of this version can read: tools know servers of their own version and of earlier ones. */
    public static PostgresServer forTool(int version) {
        return version(readableBy(version));
    }

    /** How to start another of a version that such a tool can read. */
    public static PostgresServer.Builder anotherForTool(int version) {
        return builder(readableBy(version));
    }

    private static int readableBy(int version) {
        Assumptions.assumeTrue(
                version >= OLDEST,
                "the tools of PostgreSQL here are of version " + version + ", older than any server");
        return version >= NEWEST ? NEWEST : OLDEST;
    }

    private static PostgresServer version(int version) {
        return RUNNING.computeIfAbsent(version, none -> {
            PostgresServer started = builder(version).quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            return started;
        });
    }

    private static PostgresServer.Builder builder(int version) {
        PostgresServer.Builder builder = PostgresServer.builder();
        if (version == NEWEST) {
            return builder;
        }
        Path jar = Path.of("target", "servers", "postgresql-" + version + ".jar");
        Assumptions.assumeTrue(Files.exists(jar), "PostgreSQL " + version + " was not fetched to " + jar);
        return builder.binaries(jar);
    }
}
