package dev.holdfast.bench.peers.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * The same bare loop on MariaDB. Its upsert has no condition; each column keeps its value where the lock is held, and that nothing
 * changed tells that it was.
 */
final class MariadbContender implements Contender {
    /** The end last: it decides, and the columns are set one after the other. */
    private static final String TAKE = "insert into raw_lock (name, owner, expires_at)"
            + " values (?, ?, now(6) + interval 30 second) on duplicate key update"
            + " owner = if(expires_at < now(6), values(owner), owner),"
            + " expires_at = if(expires_at < now(6), values(expires_at), expires_at)";

    private static final String GIVE =
            "update raw_lock set expires_at = now(6) - interval 1 second where name = ? and owner = ?";

    private final HikariDataSource pool;

    MariadbContender(String jdbcUrl, int connections) throws SQLException {
        // Else a row that was found but not changed counts as changed.
        pool = RawUpserts.pool(jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + "useAffectedRows=true", connections);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists raw_lock (name varchar(200) primary key,"
                    + " owner varchar(200) not null, expires_at datetime(6) not null)");
        }
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws Exception {
        String owner = OwnerNames.next();
        return BusyPolling.until(
                wait, () -> update(TAKE, name, owner) > 0 ? Optional.of(held(name, owner)) : Optional.empty());
    }

    private Held held(String name, String owner) {
        return () -> {
            if (update(GIVE, name, owner) != 1) {
                throw new IllegalStateException("the raw loop lost its own lock");
            }
        };
    }

    private int update(String sql, String name, String owner) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            statement.setString(2, owner);
            return statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
