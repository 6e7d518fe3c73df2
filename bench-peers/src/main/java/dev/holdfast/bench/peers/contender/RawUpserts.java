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
    private static final String TAKE =
            "insert into raw_lock (name, owner, expires_at) values (?, ?, now() + interval '30 s')"
                    + " on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at"
                    + " where raw_lock.expires_at < now()";
    private static final String GIVE = "insert into raw_lock (name, owner, expires_at) values (?, ?, now())"
            + " on conflict (name) do update set expires_at = excluded.expires_at where raw_lock.owner = excluded.owner";

    private static final String RENEW =
            "update raw_lock set expires_at = now() + interval '30 s' where owner = ? and name = ?";

    private final HikariDataSource pool;

    /** Makes the table if it is missing. */
    public RawUpserts(String jdbcUrl, int connections) throws SQLException {
        pool = pool(jdbcUrl, connections);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists raw_lock (name text primary key, owner text not null,"
                    + " expires_at timestamptz not null)");
        }
    }

    /** A pool of this many connections, otherwise with the usual settings: the same for everything that is compared. */
    public static HikariDataSource pool(String jdbcUrl, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    /** Takes the lock for 30 s, if it is free. */
    public boolean take(String name, String owner) throws SQLException {
        return upsert(TAKE, name, owner);
    }

    /** Gives it back; false if somebody else has it. */
    public boolean give(String name, String owner) throws SQLException {
        return upsert(GIVE, name, owner);
    }

    /** Keeps it for another 30 s; false if somebody else has it. */
    public boolean renew(String name, String owner) throws SQLException {
        return upsert(RENEW, owner, name);
    }

    private boolean upsert(String sql, String first, String second) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, first);
            statement.setString(2, second);
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
