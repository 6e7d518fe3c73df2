package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.connection.ConnectionSource;
import dev.holdfast.jdbc.connection.ServerClock;
import dev.holdfast.jdbc.connection.ServerConnections;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.time.Anchor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to PostgreSQL. Behind a pooler that lends a server connection only for a transaction, nothing may be set on a
 * connection: it would be set for whoever comes next. There it is set for each transaction.
 */
final class PostgresConnections extends ServerConnections {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresConnections.class);
    private static final Duration READ_SILENCE = Duration.ofSeconds(4);

    private final String nowSql;
    private final Map<String, String> writing = new LinkedHashMap<>();
    private final Map<String, String> listing;
    /** The server's names for the connections that write: what they tell, we know. */
    private final Set<Integer> writers = ConcurrentHashMap.newKeySet();

    private boolean pooled;

    PostgresConnections(ConnectionSource source, String place, ConnectionSettings settings, String nowSql) {
        super(
                source,
                settings,
                new PostgresFailures(place),
                new ServerClock(settings.time(), nowSql, row -> PostgresTime.COLUMN.get(row, 1)));
        this.nowSql = nowSql;
        writing.put("lock_timeout", settings.lockTimeout().toMillis() + "ms");
        writing.put("statement_timeout", settings.statementTimeout().toMillis() + "ms");
        writing.put("synchronous_commit", "on");
        writing.put("default_transaction_isolation", "read committed");
        listing = new LinkedHashMap<>(writing);
        listing.put("statement_timeout", statementTimeout(ConnectionRole.LISTER).toMillis() + "ms");
        // One plan for all batch sizes, row by row and always by index: a plan made for an empty table, or for one
        // that is thought to be small, would read the whole table for every lock in a batch.
        writing.put("plan_cache_mode", "force_generic_plan");
        writing.put("enable_seqscan", "off");
        writing.put("enable_hashjoin", "off");
        writing.put("enable_mergejoin", "off");
        writing.put("jit", "off");
    }

    /** Whether server connections are shared with others between transactions. */
    boolean pooled() {
        return pooled;
    }

    @Override
    protected void look() throws SQLException {
        pooled = new PostgresPooler(source).isThere();
        if (pooled) {
            LOG.info("A pooler shares the connections to PostgreSQL between transactions, so waiting callers poll");
        }
    }

    @Override
    protected Session plain() throws SQLException {
        return prepared(connection -> {
            InitialState initial = InitialState.of(connection);
            PostgresPooler.prepareThreshold(connection, 0);
            connection.setAutoCommit(true);
            return new Session(connection, used -> giveBack(used, initial::restore));
        });
    }

    @Override
    public Session connect(ConnectionRole role) throws SQLException {
        return prepared(connection -> {
            InitialState initial = InitialState.of(connection);
            connection.setNetworkTimeout(Runnable::run, (int) silence(role).toMillis());
            PostgresPooler.prepareThreshold(connection, pooled ? 0 : 1);
            connection.setAutoCommit(true);
            meet(connection);
            boolean commits = role != ConnectionRole.DOCUMENT_WRITER && !(pooled && role == ConnectionRole.WRITER);
            if (pooled) {
                connection.setAutoCommit(commits);
                return new Session(connection, used -> giveBack(used, initial::restore));
            }
            // A listing is planned for what it asks; all else always goes by index.
            Map<String, String> before = set(connection, role == ConnectionRole.LISTER ? listing : writing);
            int pid = connection.isWrapperFor(PGConnection.class)
                    ? connection.unwrap(PGConnection.class).getBackendPID()
                    : 0;
            if (role == ConnectionRole.WRITER) {
                writers.add(pid);
            }
            connection.setAutoCommit(commits);
            return new Session(connection, used -> {
                writers.remove(pid);
                giveBack(used, ended -> {
                    apply(ended, before);
                    initial.restore(ended);
                });
            });
        });
    }

    /** Whether it was this store that wrote, judged by the server's name for the connection. */
    boolean isOurs(int backend) {
        return writers.contains(backend);
    }

    /** How long nothing at all may come. A large document comes in many pieces, and begins to come at once. */
    private Duration silence(ConnectionRole role) {
        return role == ConnectionRole.DOCUMENT_READER
                ? READ_SILENCE
                : statementTimeout(role).plus(GRACE);
    }

    private Duration statementTimeout(ConnectionRole role) {
        return role == ConnectionRole.LISTER ? role.patience() : settings.statementTimeout();
    }

    /** How a connection was when we got it. */
    private record InitialState(boolean autoCommit, int networkTimeout, int prepareThreshold) {
        static InitialState of(Connection connection) throws SQLException {
            return new InitialState(
                    connection.getAutoCommit(),
                    connection.getNetworkTimeout(),
                    PostgresPooler.prepareThreshold(connection, 0));
        }

        void restore(Connection connection) throws SQLException {
            if (!connection.getAutoCommit()) {
                connection.rollback(); // setting it would commit what was given up
            }
            PostgresPooler.prepareThreshold(connection, prepareThreshold);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            connection.setAutoCommit(autoCommit);
        }
    }

    /** What a transaction of a shared connection starts with. */
    void begin(Session session) throws SQLException {
        if (pooled) {
            set(session.prepare(select(writing, "set_config(?, ?, true)")), writing);
        }
    }

    // ---- the server's identity and time

    private void meet(Connection connection) throws SQLException {
        Anchor sent = Anchor.of(settings.time());
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + nowSql + ", pg_is_in_recovery(),"
                        + " concat_ws(' ', inet_server_addr(), inet_server_port(),"
                        + " (select system_identifier from pg_control_system()),"
                        + " (select timeline_id from pg_control_checkpoint()))")) {
            row.next();
            if (row.getBoolean(2)) {
                throw new StandbyException();
            }
            meet(row.getString(3));
            clock().sample(sent, row.getObject(1, OffsetDateTime.class).toInstant());
        }
    }

    /** The server follows another one and takes no writes. */
    static final class StandbyException extends SQLException {
        private static final long serialVersionUID = 1;

        StandbyException() {
            super("the server is a standby", "25006");
        }
    }

    // ---- settings

    private static Map<String, String> set(Connection connection, Map<String, String> settings) throws SQLException {
        Map<String, String> before = new LinkedHashMap<>();
        String current = settings.keySet().stream()
                .map(name -> "current_setting('" + name + "')")
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + current)) {
            row.next();
            int i = 1;
            for (String name : settings.keySet()) {
                before.put(name, row.getString(i++));
            }
        }
        apply(connection, settings);
        return before;
    }

    private static void apply(Connection connection, Map<String, String> settings) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(select(settings, "set_config(?, ?, false)"))) {
            set(statement, settings);
        }
    }

    private static String select(Map<String, String> settings, String call) {
        return "select " + String.join(", ", Collections.nCopies(settings.size(), call));
    }

    private static void set(PreparedStatement statement, Map<String, String> settings) throws SQLException {
        int i = 1;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            statement.setString(i++, setting.getKey());
            statement.setString(i++, setting.getValue());
        }
        statement.executeQuery().close();
    }

    /** The schema the tables are in, or will be. */
    static String schema(Session session) throws SQLException {
        return session.first("select current_schema()", row -> row.getString(1))
                .orElseThrow(() -> new StoreUnusableException(
                        "None of the schemas in the search path of the connection exists, so there is no place for"
                                + " Holdfast's tables; create one, or name another with currentSchema",
                        null));
    }

    /** What a statement answers; committed, unless connections are borrowed from a pool. */
    ResultSet run(Session session, PreparedStatement statement) throws SQLException {
        return pooled() ? statement.executeQuery() : session.executeAndCommit(statement);
    }
}
