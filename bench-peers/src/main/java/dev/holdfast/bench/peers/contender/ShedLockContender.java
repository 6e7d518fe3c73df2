package dev.holdfast.bench.peers.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on PostgreSQL with the database's clock, its fastest way: one statement to take. It does not wait by itself. */
final class ShedLockContender implements Contender {
    private final HikariDataSource pool;
    private final LockProvider locks;

    ShedLockContender(String jdbcUrl, int connections) throws SQLException {
        pool = RawUpserts.pool(
                jdbcUrl,
                connections,
                "create table if not exists shedlock (name varchar(64) not null, lock_until timestamp not null,"
                        + " locked_at timestamp not null, locked_by varchar(255) not null, primary key (name))");
        locks = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws Exception {
        return BusyPolling.until(
                wait,
                () -> locks.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO))
                        .map(ShedLockContender::held));
    }

    private static Held held(SimpleLock lock) {
        SimpleLock[] now = {lock}; // each renewal is a lock of its own there
        return new Renewable(
                () -> now[0] = now[0].extend(LEASE, Duration.ZERO)
                        .orElseThrow(() -> new IllegalStateException("ShedLock lost its own lock")),
                () -> now[0].unlock());
    }

    @Override
    public void close() {
        pool.close();
    }
}
