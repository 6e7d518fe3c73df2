package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.StoreException;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/** Documents in a PostgreSQL database, 14 or newer, in two tables beside those of the locks. */
public final class PostgresDocuments extends ServerDocuments {
    /** A value has at most a gigabyte, and what is sent and kept around it is a multiple of it. */
    private static final long MAX_SIZE = 256L << 20;
    /** On its way here a content is written in digits, twice its size: so much at a time is. */
    private static final int PART = 4 << 20;

    private static final String DUPLICATE = "23505";
    private static final Set<String> RACES = Set.of(DUPLICATE, "40001", "40P01");
    private static final String NOW = "clock_timestamp()";

    private final PostgresConnections connections;

    private PostgresDocuments(PostgresConnections connections, PostgresFailures failures) {
        super(failures);
        this.connections = connections;
    }

    /**
     * Opens the documents in the database with this URL, as {@link PostgresStore#open(String, PostgresConfig)} opens the locks,
     * creating the tables if they are missing.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do; nothing was changed then
     */
    public static DocumentStore open(String url) {
        PostgresConfig config = new PostgresConfig(
                PostgresConfig.DEFAULT.connectTimeout(), STATEMENT_TIMEOUT, LOCK_TIMEOUT, LocalTime.SYSTEM);
        return open(
                PostgresStore.source(url, config),
                DatabaseUrl.of(url, "postgresql").shown(),
                config);
    }

    private static DocumentStore open(DataSource source, String place, PostgresConfig config) {
        PostgresFailures failures = new PostgresFailures(place);
        PostgresConnections connections = connections(source, config);
        try {
            connections.look();
            Session plain = connections.plain();
            try {
                PostgresConnections.schema(plain); // refuses a search path that leads nowhere
                if (!new DocumentTables(place).areThere(plain)) {
                    PostgresSchema.inTransaction(plain, () -> DocumentTables.run(plain, "postgresql-documents.sql"));
                }
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.opening(e);
        }
        return JdbcDocuments.open(new PostgresDocuments(connections, failures), MOST, MOST);
    }

    private static PostgresConnections connections(DataSource source, PostgresConfig config) {
        ServerClock clock = new ServerClock(config.time(), NOW, row -> PostgresTime.COLUMN.get(row, 1));
        return new PostgresConnections(source, config, NOW, clock.measured());
    }

    /** Takes away the tables, with all documents. */
    static void drop(String url, PostgresConfig config) {
        PostgresFailures failures =
                new PostgresFailures(DatabaseUrl.of(url, "postgresql").shown());
        try {
            Session plain =
                    connections(PostgresStore.source(url, config), config).plain();
            try {
                new DocumentTables(failures.place()).areThere(plain); // refuses what is not ours
                PostgresSchema.inTransaction(plain, () -> DocumentTables.run(plain, "documents-drop.sql"));
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.of("removing the documents", e);
        }
    }

    @Override
    public String kind() {
        return "postgresql";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    Session connected(Role role) throws SQLException {
        return connections.connect(role);
    }

    @Override
    public void begin(Session session) throws SQLException {
        connections.begin(session);
    }

    @Override
    public int part() {
        return PART;
    }

    @Override
    public String firstPart() {
        return "substring(c.bytes from 1 for " + PART + ")";
    }

    @Override
    public boolean isRace(SQLException e) {
        return RACES.contains(PostgresFailures.state(e));
    }
}
