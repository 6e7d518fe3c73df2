package dev.holdfast.jdbc;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Documents in a MariaDB database, 10.6 or newer, or a MySQL database, 8.0.21 or newer, in two tables beside those of the locks.
 * A content must fit into one packet of the server, which may have to carry it in twice its size: with the usual
 * {@code max_allowed_packet} of 16 MB that is almost 8 MB. Raise that setting for larger ones.
 */
public final class MariadbDocuments extends ServerDocuments {
    private static final long MAX_SIZE = 256L << 20;
    /** Room in a packet for the statement around a content. */
    private static final long STATEMENT_ROOM = 64 << 10;
    /** Drivers may write a byte as two characters. */
    private static final int ESCAPED = 2;

    private static final int DEADLOCK = 1213;
    private static final Set<Integer> RACES = Set.of(DEADLOCK, MariadbFailures.DUPLICATE);
    /** A row too large for the server's log, and a packet too large for the server. */
    private static final Set<Integer> TOO_LARGE = Set.of(1118, 1153);

    private static final String NOW = "sysdate(6)";

    private final MariadbConnections connections;
    private final long maxSize;

    private MariadbDocuments(MariadbConnections connections, MariadbFailures failures, long maxSize) {
        super(failures);
        this.connections = connections;
        this.maxSize = maxSize;
    }

    /**
     * Opens the documents in the database with this URL, as {@link MariadbStore#open(String, MariadbConfig)} opens the locks,
     * creating the tables if they are missing.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which database, what is wrong, and what to do
     */
    public static DocumentStore open(String url) {
        MariadbConfig config =
                new MariadbConfig(MariadbConfig.DEFAULT.connectTimeout(), STATEMENT_TIMEOUT, LocalTime.SYSTEM);
        MariadbFailures failures =
                new MariadbFailures(DatabaseUrl.of(url, "mariadb").shown());
        MariadbConnections connections = connections(MariadbDriver.source(url, config), config);
        long packet;
        try {
            Session plain = connections.plain();
            try {
                if (!new DocumentTables(failures.place()).areThere(plain)) {
                    DocumentTables.run(plain, "mariadb-documents.sql"); // the server lets one at a time make a table
                }
                packet = packet(plain);
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.opening(e);
        }
        long maxSize = Math.min(MAX_SIZE, (packet - STATEMENT_ROOM) / ESCAPED);
        return JdbcDocuments.open(new MariadbDocuments(connections, failures, maxSize), MOST, MOST);
    }

    private static MariadbConnections connections(DataSource source, MariadbConfig config) {
        ServerClock clock = new ServerClock(config.time(), NOW, MariadbConnections::time);
        return new MariadbConnections(source, config, NOW, clock.measured());
    }

    private static long packet(Session session) throws SQLException {
        try (ResultSet row = session.prepare("select @@max_allowed_packet").executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Takes away the tables, with all documents. */
    static void drop(String url, MariadbConfig config) {
        MariadbFailures failures =
                new MariadbFailures(DatabaseUrl.of(url, "mariadb").shown());
        try {
            Session plain =
                    connections(MariadbDriver.source(url, config), config).plain();
            try {
                new DocumentTables(failures.place()).areThere(plain); // refuses what is not ours
                DocumentTables.run(plain, "documents-drop.sql");
            } finally {
                plain.close();
            }
        } catch (SQLException e) {
            throw failures.of("removing the documents", e);
        }
    }

    @Override
    public String kind() {
        return "mariadb";
    }

    @Override
    public long maxSize() {
        return maxSize;
    }

    @Override
    Session connected(Role role) throws SQLException {
        Session session = connections.connect(role);
        session.execute("set session innodb_lock_wait_timeout = " + LOCK_TIMEOUT.toSeconds());
        return session;
    }

    @Override
    public String addContent() {
        return "insert into holdfast_content (id, uses, bytes) values (?, ?, ?)"
                + " on duplicate key update uses = uses + values(uses)";
    }

    @Override
    public boolean isRace(SQLException e) {
        return RACES.contains(MariadbFailures.code(e));
    }

    @Override
    public StoreException failure(String doing, SQLException e) {
        return TOO_LARGE.contains(MariadbFailures.code(e))
                ? new StoreUnusableException(
                        "The server at " + place() + " does not take a content of this size (while " + doing + ": "
                                + e.getMessage() + "); raise max_allowed_packet and innodb_log_file_size, the latter to"
                                + " ten times the largest content",
                        e)
                : super.failure(doing, e);
    }
}
