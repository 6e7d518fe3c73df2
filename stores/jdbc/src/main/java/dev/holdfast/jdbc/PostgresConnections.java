package dev.holdfast.jdbc;

import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.MeasuredClock;
import dev.holdfast.spi.StoreUnusableException;
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
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections with the settings the store's statements rely on. They are set on each connection and taken back when it is
 * returned to the caller's pool. Behind a pooler that lends a server connection only for a transaction, nothing may be set
 * on a connection: it would be set for whoever comes next. There it is set for each transaction.
 */
final class PostgresConnections {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresConnections.class);

    /** A server that does not answer at all is noticed this long after it should have given up the statement. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final DataSource source;
    private final PostgresConfig config;
    private final String nowSql;
    private final MeasuredClock clock;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> listing;
    /** The server's names for the connections that write: what they tell, we know. */
    private final Set<Integer> writers = ConcurrentHashMap.newKeySet();

    private @Nullable String server;
    private boolean pooled;

    PostgresConnections(DataSource source, PostgresConfig config, String nowSql, MeasuredClock clock) {
        this.source = source;
        this.config = config;
        this.nowSql = nowSql;
        this.clock = clock;
        settings.put("lock_timeout", config.lockTimeout().toMillis() + "ms");
        settings.put("statement_timeout", config.statementTimeout().toMillis() + "ms");
        settings.put("synchronous_commit", "on");
        settings.put("default_transaction_isolation", "read committed");
        listing = new LinkedHashMap<>(settings);
        listing.put("statement_timeout", statementTimeout(Database.Role.LISTER).toMillis() + "ms");
        // One plan for all batch sizes, row by row and always by index: a plan made for an empty table, or a guess that
        // a
        // full one is small, would read the whole table for every lock in a batch.
        settings.put("plan_cache_mode", "force_generic_plan");
        settings.put("enable_seqscan", "off");
        settings.put("enable_hashjoin", "off");
        settings.put("enable_mergejoin", "off");
        settings.put("jit", "off");
    }

    /** Whether server connections are shared with others between transactions. */
    boolean pooled() {
        return pooled;
    }

    /** Finds out what is between us and the server. */
    void look() throws SQLException {
        pooled = new PostgresPooler(source).isThere();
        if (pooled) {
            LOG.info("A pooler shares the connections to PostgreSQL between transactions; waiting for locks polls");
        }
    }

    /** A connection as the store's schema is made with: no settings but commits by itself. */
    Session plain() throws SQLException {
        Connection connection = source.getConnection();
        try {
            Given given = Given.of(connection);
            PostgresPooler.prepareThreshold(connection, 0);
            connection.setAutoCommit(true);
            return new Session(connection, used -> giveBack(used, given, Map.of()));
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    Session connect(Database.Role role) throws SQLException {
        Connection connection = source.getConnection();
        try {
            Given given = Given.of(connection);
            connection.setNetworkTimeout(
                    Runnable::run, (int) statementTimeout(role).plus(GRACE).toMillis());
            PostgresPooler.prepareThreshold(connection, pooled ? 0 : 1);
            connection.setAutoCommit(true);
            meet(connection);
            if (pooled) {
                connection.setAutoCommit(role != Database.Role.WRITER);
                return new Session(connection, used -> giveBack(used, given, Map.of()));
            }
            // A listing is planned for what it asks; all else always goes by index.
            Map<String, String> before = set(connection, role == Database.Role.LISTER ? listing : settings);
            int pid = connection.isWrapperFor(PGConnection.class)
                    ? connection.unwrap(PGConnection.class).getBackendPID()
                    : 0;
            if (role == Database.Role.WRITER) {
                writers.add(pid);
            }
            return new Session(connection, used -> {
                writers.remove(pid);
                giveBack(used, given, before);
            });
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Whether it was this store that wrote, judged by the server's name for the connection. */
    boolean isOurs(int backend) {
        return writers.contains(backend);
    }

    private Duration statementTimeout(Database.Role role) {
        return role == Database.Role.LISTER ? role.patience() : config.statementTimeout();
    }

    /** How the connection came. */
    private record Given(boolean autoCommit, int networkTimeout, int prepareThreshold) {
        static Given of(Connection connection) throws SQLException {
            return new Given(
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
            set(session.prepare(select("set_config(?, ?, true)")), settings);
        }
    }

    // ---- the server's identity and time

    /** Another server, or this one after a failover, has a clock of its own. */
    private void meet(Connection connection) throws SQLException {
        Anchor sent = Anchor.of(config.time());
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + nowSql + ", pg_is_in_recovery(),"
                        + " concat_ws(' ', inet_server_addr(), inet_server_port(),"
                        + " (select system_identifier from pg_control_system()),"
                        + " (select timeline_id from pg_control_checkpoint()))")) {
            row.next();
            if (row.getBoolean(2)) {
                throw new StandbyException();
            }
            known(row.getString(3));
            clock.sample(sent, row.getObject(1, OffsetDateTime.class).toInstant());
        }
    }

    private synchronized void known(String now) {
        if (server != null && !server.equals(now)) {
            LOG.info("Another PostgreSQL server answers than before; its clock is measured anew");
            clock.discard();
        }
        server = now;
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

    private String select(String call) {
        return select(settings, call);
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

    /** As it was, or not at all: whoever gets it next must not inherit our timeouts. */
    private static void giveBack(Connection connection, Given given, Map<String, String> before) throws SQLException {
        try {
            if (!connection.isClosed()) {
                if (!before.isEmpty()) {
                    apply(connection, before);
                }
                given.restore(connection);
            }
        } catch (SQLException e) {
            connection.abort(Runnable::run);
            throw e;
        } finally {
            connection.close();
        }
    }

    /** The schema the tables are in, or will be. */
    static String schema(Session session) throws SQLException {
        try (ResultSet row = session.prepare("select current_schema()").executeQuery()) {
            row.next();
            String schema = row.getString(1);
            if (schema == null) {
                throw new StoreUnusableException(
                        "None of the schemas in the search path of the connection exists, so there is no place for"
                                + " Holdfast's tables; create one, or name another with currentSchema",
                        null);
            }
            return schema;
        }
    }
}
