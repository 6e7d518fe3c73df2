package dev.holdfast.jdbc.sqlite;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** Connections to one SQLite file. */
final class SqliteConnections implements SqlDatabase {
    /**
     * Pages of write-ahead log before it is copied into the file and written anew from its start: 4 MB. Writing over what is
     * there is several times faster than making the file longer, so a short log, soon used again, beats a long one.
     */
    static final int CHECKPOINT_PAGES = 1_000;
    /** Memory for pages of the writing connection, in kibibytes. */
    private static final int WRITER_CACHE = 64_000;

    /** Documents are large: large pages make few of them, and more fit into the log before it is copied. */
    private static final int DOCUMENT_PAGE = 32_768;

    private final Path file;
    private final Duration busyTimeout;
    private final SqliteFailures failures;
    private final int pageSize;

    SqliteConnections(Path file, Duration busyTimeout) {
        this(file, busyTimeout, 0);
    }

    private SqliteConnections(Path file, Duration busyTimeout, int pageSize) {
        this.file = file;
        this.busyTimeout = busyTimeout;
        this.failures = new SqliteFailures(file, busyTimeout);
        this.pageSize = pageSize;
    }

    static SqliteConnections forDocuments(Path file, Duration busyTimeout) {
        return new SqliteConnections(file, busyTimeout, DOCUMENT_PAGE);
    }

    @Override
    public Session connect(ConnectionRole role) throws SQLException {
        boolean writes = role == ConnectionRole.WRITER || role == ConnectionRole.DOCUMENT_WRITER;
        return new Session(writes ? writer() : reader());
    }

    @Override
    public SqliteFailures failures() {
        return failures;
    }

    /** The transaction of whoever writes locks can be rolled back; of who reads them, nothing is known. */
    @Override
    public boolean survives(ConnectionRole role, SQLException e) {
        return switch (role) {
            case WRITER -> true;
            case READER, LISTER -> false;
            case DOCUMENT_WRITER, DOCUMENT_READER -> e.getErrorCode() == SqliteFailures.BUSY;
        };
    }

    /** A connection to a file that need not exist. */
    Connection create() throws SQLException {
        SqliteFiles.create(file);
        SQLiteConfig config = new SQLiteConfig();
        if (pageSize > 0) {
            config.setPageSize(pageSize); // of a file that is made now; one that is there keeps its own
        }
        return connect(config);
    }

    /** For transactions; each begins with a statement that writes, and so with the write lock. */
    Connection writer() throws SQLException {
        SQLiteConfig config = existing();
        config.setCacheSize(-WRITER_CACHE);
        Connection connection = connect(config);
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** For whoever copies the log. */
    Connection copier() throws SQLException {
        return connect(existing());
    }

    /** For single queries, each of which sees the last commit. */
    Connection reader() throws SQLException {
        Connection connection = connect(existing());
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma query_only = on");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** After a failure a missing file must be an error: an empty new one would say that every lock is free. */
    private static SQLiteConfig existing() {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        return config;
    }

    private Connection connect(SQLiteConfig config) throws SQLException {
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setGetGeneratedKeys(false);
        config.setBusyTimeout((int) busyTimeout.toMillis()); // while it is being opened
        Connection connection = config.createConnection("jdbc:sqlite:" + file.toUri()); // a URI: a path may contain '?'
        BusyHandler.setHandler(connection, new BusyWait(busyTimeout.toNanos()));
        try (Statement statement = connection.createStatement()) {
            // Not by the config: the driver that Spring Boot 3.5 brings has no method for it.
            statement.execute("pragma wal_autocheckpoint = " + CHECKPOINT_PAGES);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /**
     * Waits for a lock that another process has. SQLite's own way looks less and less often, up to ten times a second, and
     * so rarely gets its turn against a process that writes on and on. Here the first looks are close together. Who has
     * waited for long looks less often, but at random: fifty processes that look a thousand times a second leave no processor to
     * the one they wait for.
     */
    private static final class BusyWait extends BusyHandler {
        private static final long SHORT_PAUSE = 1_000_000;
        private static final long LONG_PAUSE = 50_000_000;
        /** A pause is at most this part of what was waited already. */
        private static final long SHARE = 8;

        private final long limit;
        private long since;

        BusyWait(long limit) {
            this.limit = limit;
        }

        @Override
        protected int callback(int previousCalls) {
            long now = System.nanoTime();
            if (previousCalls == 0) {
                since = now;
            }
            if (now - since > limit) {
                return 0;
            }
            boolean interrupted = Thread.interrupted(); // an interrupt ends nobody's wait here: it would only spin
            long longest = Math.max(SHORT_PAUSE, Math.min((now - since) / SHARE, LONG_PAUSE));
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest / 10, longest));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return 1;
        }
    }
}
