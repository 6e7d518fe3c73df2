package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.ServerFixture;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.servers.PgBouncer;
import dev.holdfast.testkit.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.Assumptions;

/** A schema of its own on a real server. */
final class PostgresFixture extends ServerFixture {
    private final String url;
    private final Runnable end;

    PostgresFixture(PostgresServer server) throws SQLException {
        this(server.freshSchema(), server.port(), server.port(), () -> {});
    }

    /** A database of its own, reached through a PgBouncer of its own. */
    static PostgresFixture pooled(PostgresServer server) throws SQLException {
        Assumptions.assumeTrue(PgBouncer.program().isPresent(), "pgbouncer is not installed");
        String database = server.freshDatabase();
        PgBouncer pooler = PgBouncer.start(server, 4);
        return new PostgresFixture(server.url(database), server.port(), pooler.port(), () -> {
            pooler.close();
            server.dropDatabase(database);
        });
    }

    private PostgresFixture(String direct, int server, int reachedAt, Runnable end) throws SQLException {
        super(reachedAt, Postgres.connect(direct), "timestamptz");
        this.url = direct.replace(":" + server + "/", ":" + line.port() + "/");
        this.end = end;
    }

    @Override
    protected String text(Instant time) {
        return time.toString();
    }

    @Override
    public RecordStore open() {
        ConnectionSettings settings = Postgres.settings(PostgresConfig.DEFAULT.withTime(clock));
        return timed(new PostgresDatabase(PostgresDatabase.source(url, settings), url, settings, NOW).locks());
    }

    @Override
    public void close() {
        super.close();
        end.run();
    }
}
