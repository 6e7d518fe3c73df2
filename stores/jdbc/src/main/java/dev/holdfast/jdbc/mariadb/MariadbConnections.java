package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.connection.ConnectionRole;
import dev.holdfast.jdbc.connection.ConnectionSettings;
import dev.holdfast.jdbc.connection.ConnectionSource;
import dev.holdfast.jdbc.connection.ServerClock;
import dev.holdfast.jdbc.connection.ServerConnections;
import dev.holdfast.jdbc.connection.ServerFailures;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.time.Anchor;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Connections to MariaDB or MySQL. */
final class MariadbConnections extends ServerConnections {
    private static final List<String> IDENTITY = List.of("hostname", "port", "server_id", "server_uid", "server_uuid");
    private static final List<String> READ_ONLY = List.of("read_only", "super_read_only", "innodb_read_only");
    private static final Set<String> TEXTS = Set.of("time_zone", "sql_mode");

    private final String nowSql;
    private final Map<String, String> wanted = new LinkedHashMap<>();

    MariadbConnections(ConnectionSource source, ServerFailures failures, ConnectionSettings settings, String nowSql) {
        super(source, settings, failures, new ServerClock(settings.time(), nowSql, row -> Utc.COLUMN.get(row, 1)));
        this.nowSql = nowSql;
        wanted.put("time_zone", "+00:00");
        wanted.put(
                "innodb_lock_wait_timeout", Long.toString(settings.lockTimeout().toSeconds()));
        wanted.put("wait_timeout", "28800"); // the server must not hang up because nobody locked anything for a minute
        Duration limit = settings.statementTimeout();
        wanted.put("max_statement_time", limit.toMillis() / 1_000 + "." + "%03d".formatted(limit.toMillis() % 1_000));
        wanted.put("max_execution_time", Long.toString(limit.toMillis()));
        wanted.put("wsrep_sync_wait", "7"); // a node of a cluster may be behind the others: it catches up first
    }

    /** How long to wait for an answer before the line is taken for dead. */
    static Duration patience(ConnectionSettings settings) {
        return settings.statementTimeout().plus(GRACE);
    }

    @Override
    protected Session plain() throws SQLException {
        return prepared(connection -> {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            refuseReadOnly(variables(connection, READ_ONLY));
            return new Session(connection, used -> {
                try (used) {
                    used.setAutoCommit(autoCommit);
                }
            });
        });
    }

    @Override
    public Session connect(ConnectionRole role) throws SQLException {
        return prepared(connection -> {
            InitialState before = InitialState.of(connection);
            connection.setNetworkTimeout(Runnable::run, (int) patience(settings).toMillis());
            connection.setAutoCommit(true);
            Map<String, String> variables = variables(connection, List.of());
            refuseReadOnly(variables);
            apply(connection, settings(variables));
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            meet(connection, variables);
            connection.setAutoCommit(role != ConnectionRole.WRITER && role != ConnectionRole.DOCUMENT_WRITER);
            Map<String, String> old = new LinkedHashMap<>(variables);
            old.keySet().removeIf(name -> !wanted.containsKey(name) && !name.equals("sql_mode"));
            return new Session(
                    connection,
                    used -> giveBack(used, ended -> {
                        if (!ended.getAutoCommit()) {
                            ended.rollback();
                        }
                        apply(ended, old);
                        ended.setTransactionIsolation(before.isolation());
                        ended.setAutoCommit(before.autoCommit());
                        ended.setNetworkTimeout(Runnable::run, before.networkTimeout());
                    }));
        });
    }

    // ---- the server's identity and time

    private static void refuseReadOnly(Map<String, String> variables) throws SQLException {
        for (String name : READ_ONLY) {
            String value = variables.getOrDefault(name, "OFF");
            if (!value.equals("OFF") && !value.equals("0")) {
                // Also where our user could write all the same: on a replica it must not.
                throw new SQLException(name + " is " + value, "HY000", MariadbFailures.READ_ONLY_OPTION);
            }
        }
    }

    private void meet(Connection connection, Map<String, String> variables) throws SQLException {
        meet(IDENTITY.stream().map(name -> variables.getOrDefault(name, "")).collect(Collectors.joining(" ")));
        Anchor sent = Anchor.of(settings.time());
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + nowSql)) {
            row.next();
            clock().sample(sent, Utc.COLUMN.get(row, 1));
        }
    }

    // ---- settings

    /** What a connection was when we got it. */
    private record InitialState(boolean autoCommit, int isolation, int networkTimeout) {
        static InitialState of(Connection connection) throws SQLException {
            return new InitialState(
                    connection.getAutoCommit(), connection.getTransactionIsolation(), connection.getNetworkTimeout());
        }
    }

    /** The variables of these names, of those we ask for anyway if none are given, as far as the server has them. */
    private Map<String, String> variables(Connection connection, List<String> names) throws SQLException {
        List<String> asked = names;
        if (names.isEmpty()) {
            asked = new ArrayList<>(wanted.keySet());
            asked.add("sql_mode");
            asked.addAll(IDENTITY);
            asked.addAll(READ_ONLY);
        }
        Map<String, String> found = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "show session variables where variable_name in ('" + String.join("', '", asked) + "')")) {
            while (row.next()) {
                found.put(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2));
            }
        }
        return found;
    }

    /** What to set, of what the server has. Of its SQL mode the rest is kept: the driver has adapted itself to it. */
    private Map<String, String> settings(Map<String, String> variables) {
        Map<String, String> settings = new LinkedHashMap<>(wanted);
        settings.keySet().retainAll(variables.keySet());
        String mode = variables.getOrDefault("sql_mode", "");
        settings.put("sql_mode", mode.isEmpty() ? "STRICT_TRANS_TABLES" : mode + ",STRICT_TRANS_TABLES");
        return settings;
    }

    private static void apply(Connection connection, Map<String, String> settings) throws SQLException {
        String list = settings.entrySet().stream()
                .map(one -> one.getKey() + " = "
                        + (TEXTS.contains(one.getKey()) ? "'" + one.getValue() + "'" : one.getValue()))
                .collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("set session " + list);
        }
    }
}
