package dev.holdfast.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Days of use in a second: as much is forgotten as comes, and the file stays as large as one retention needs. */
@DisplayName("A store that is used for long")
@Timeout(60)
class SqliteRetentionTest {
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final int LOCKS_A_DAY = 30;
    private static final int DAYS = 8;

    @TempDir
    private Path directory;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TestMachine machine = new TestMachine(clock, 7);

    /** Rows of both tables, and pages of the file. */
    private record Size(long locks, long events, long pages) {}

    @Test
    @DisplayName("keeps the locks and events of its retention, and its file does not grow any more")
    void stays() throws Exception {
        List<Size> sizes = use(ClientConfig.DEFAULT.withRetention(RETENTION).withHistoryRetention(RETENTION));
        // What a day brings may still be there on the next: never more than two days' worth.
        assertThat(sizes).allSatisfy(size -> {
            assertThat(size.locks()).isBetween(1L, 2L * LOCKS_A_DAY);
            assertThat(size.events()).isBetween(1L, 2L * 2 * LOCKS_A_DAY);
        });
        long settled = sizes.get(2).pages();
        assertThat(sizes.subList(3, DAYS))
                .allSatisfy(size -> assertThat(size.pages()).isLessThanOrEqualTo(settled + 2));
    }

    @Test
    @DisplayName("grows without end if nothing is ever forgotten: that is what this test would see")
    void grows() throws Exception {
        Duration forever = Duration.ofDays(3_650);
        List<Size> sizes = use(ClientConfig.DEFAULT.withRetention(forever).withHistoryRetention(forever));
        Size last = sizes.get(DAYS - 1);
        assertThat(last.locks()).isEqualTo((long) DAYS * LOCKS_A_DAY);
        assertThat(last.events()).isEqualTo(2L * DAYS * LOCKS_A_DAY);
        assertThat(last.pages()).isGreaterThan(sizes.get(2).pages() + 2);
    }

    /** Locks of new names every day, and a clean-up at its end; what the file was like before that. */
    private List<Size> use(ClientConfig config) throws Exception {
        Path file = directory.resolve("locks.db");
        List<Size> sizes = new ArrayList<>();
        try (LockClient client = LockService.on(
                        SqliteStore.open(file, SqliteConfig.shared().withTime(clock)), machine, config)
                .client(config)) {
            for (int day = 0; day < DAYS; day++) {
                for (int i = 0; i < LOCKS_A_DAY; i++) {
                    try (Lease lease = client.acquire("day-" + day + "-lock-" + i)) {
                        assertThat(lease.token().value()).isPositive();
                    }
                }
                sizes.add(size(file));
                machine.advance(RETENTION.plusMinutes(1));
                client.inspect().cleanup(false);
            }
        }
        return sizes;
    }

    private static Size size(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            return new Size(
                    number(statement, "select count(*) from holdfast_lock"),
                    number(statement, "select count(*) from holdfast_event"),
                    number(statement, "pragma page_count"));
        }
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
