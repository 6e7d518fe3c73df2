package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The roll-over of docs/migrate/from-shedlock.md, with ShedLock's table. */
class FromJdbcTemplateTest {
    @TempDir
    Path directory;

    private SQLiteDataSource tables() throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("app.db"));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table shedlock(name varchar(64) primary key, lock_until timestamp not null,"
                    + " locked_at timestamp not null, locked_by varchar(255) not null)");
        }
        return source;
    }

    private static Optional<SimpleLock> lock(LockProvider provider) {
        return provider.lock(
                new LockConfiguration(ClockProvider.now(), "report", Duration.ofMinutes(10), Duration.ZERO));
    }

    @Test
    @DisplayName("from release to release, a job never runs in a process of each at the same time")
    void releases() throws SQLException {
        SQLiteDataSource source = tables();
        try (LockClient locks = LockClient.connect("sqlite:" + directory.resolve("locks.db"))) {
            LockProvider before = new JdbcTemplateLockProvider(source);
            LockProvider between =
                    new RollOverLockProvider(new JdbcTemplateLockProvider(source), new HoldfastLockProvider(locks));
            LockProvider after = new HoldfastLockProvider(locks);
            excludeEachOther(before, between);
            excludeEachOther(between, after);
        }
    }

    private static void excludeEachOther(LockProvider one, LockProvider other) {
        SimpleLock held = lock(one).orElseThrow();
        assertThat(lock(other)).isEmpty();
        held.unlock();
        held = lock(other).orElseThrow();
        assertThat(lock(one)).isEmpty();
        held.unlock();
        lock(one).orElseThrow().unlock();
    }
}
