package dev.holdfast.bench.peers.contender;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a lock table costs without any lock service: a cycle is two single-statement upserts of one row, through a pool, as
 * most libraries do it. It knows no queue, no history, and no token that outlives a release.
 */
public final class RawUpserts implements AutoCloseable {
    /** Each that takes, gives or renews has a name and an owner to fill in. */
    private record Statements(String table, String take, String give, String renew) {}

    private static final Statements POSTGRES = new Statements(
            "create table if not exists raw_lock (name text primary key, owner text not null,"
                    + " expires_at timestamptz not null)",
            "insert into raw_lock (name, owner, expires_at) values (?, ?, now() + interval '30 s')"
                    + " on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at"
                    + " where raw_lock.expires_at < now()",
            "insert into raw_lock (name, owner, expires_at) values (?, ?, now())"
                    + " on conflict (name) do update set expires_at = excluded.expires_at where raw_lock.owner = excluded.owner",
            "update raw_lock set expires_at = now() + interval '30 s' where name = ? and owner = ?");

    /**
     * Its upsert has no condition; each column keeps its value where the lock is held, and that nothing changed tells that it was. The end
     * last: it decides, and the columns are set one after the other.
     */
    private static final Statements MARIADB = new Statements(
            "create table if not exists raw_lock (name varchar(200) primary key,"
                    + " owner varchar(200) not null, expires_at datetime(6) not null)",
            "insert into raw_lock (name, owner, expires_at)"
                    + " values (?, ?, now(6) + interval 30 second) on duplicate key update"
                    + " owner = if(expires_at < now(6), values(owner), owner),"
                    + " expires_at = if(expires_at < now(6), values(expires_at), expires_at)",
            "update raw_lock set expires_at = now(6) - interval 1 second where name = ? and owner = ?",
            "update raw_lock set expires_at = now(6) + interval 30 second where name = ? and owner = ?");

    private final Statements statements;
    private final HikariDataSource pool;

    private RawUpserts(Statements statements, String jdbcUrl, int connections) throws SQLException {
        this.statements = statements;
        this.pool = pool(jdbcUrl, connections, statements.table());
    }

    /** Makes the table if it is missing. */
    public static RawUpserts onPostgres(String jdbcUrl, int connections) throws SQLException {
        return new RawUpserts(POSTGRES, jdbcUrl, connections);
    }

    /** Makes the table if it is missing. */
    static RawUpserts onMariadb(String jdbcUrl, int connections) throws SQLException {
        // Else a row that was found but not changed counts as changed.
        return new RawUpserts(MARIADB, jdbcUrl + "&useAffectedRows=true", connections);
    }

    /** A pool of this many connections, otherwise with the usual settings: the same for everything that is compared. */
    public static HikariDataSource pool(String jdbcUrl, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** The same, and the table that this statement makes is there. */
    static HikariDataSource pool(String jdbcUrl, int connections, String table) throws SQLException {
        HikariDataSource pool = pool(jdbcUrl, connections);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(table);
        }
        return pool;
    }

    /** Takes the lock for 30 s, if it is free. */
    public boolean take(String name, String owner) throws SQLException {
        return changes(statements.take(), name, owner);
    }

    /** Gives it back; false if somebody else has it. */
    public boolean give(String name, String owner) throws SQLException {
        return changes(statements.give(), name, owner);
    }

    /** Keeps it for another 30 s; false if somebody else has it. */
    public boolean renew(String name, String owner) throws SQLException {
        return changes(statements.renew(), name, owner);
    }

    private boolean changes(String sql, String name, String owner) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setString(2, owner);
            return statement.executeUpdate() > 0; // MariaDB counts a row that it replaces twice
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
