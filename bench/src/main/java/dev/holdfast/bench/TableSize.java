package dev.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/** Whether an operation on a working set of locks costs the same however many other records there are. */
record TableSize(Report report, Duration time) {
    private static final int WORKING_SET = 10_000;
    private static final int MANY = 1_000_000;
    private static final int CALLERS = 32;

    void measure(String jdbc) throws Exception {
        try (HikariDataSource pool = RawUpserts.pool(jdbc, 8)) {
            double few;
            double many;
            fill(pool, 0, WORKING_SET);
            try (LockClient locks = client(pool)) {
                few = cycles(locks);
            }
            fill(pool, WORKING_SET, MANY);
            try (LockClient locks = client(pool)) {
                many = cycles(locks);
            }
            report.line("postgresql, 10 000 of 10 000 locks used", few, "cycles/s, " + CALLERS + " callers");
            report.line("postgresql, 10 000 of 1 000 000 locks used", many, "cycles/s, " + CALLERS + " callers");
            report.ratio("1 000 000 / 10 000 records", many / few, "0.8 to 1.2");
        }
    }

    private static LockClient client(HikariDataSource pool) {
        return LockClient.on(
                PostgresStore.open(pool, PostgresConfig.DEFAULT), ClientConfig.DEFAULT.withNamespace("size"));
    }

    private double cycles(LockClient locks) throws Exception {
        IntFunction<Load.Cycle> any = caller -> () -> {
            try (Lease lease =
                    locks.acquire("size-" + ThreadLocalRandom.current().nextInt(WORKING_SET))) {
                lease.ensureValid();
            }
        };
        Load.cycles(any, CALLERS, time); // once through, so that what a cache can hold it holds
        return Load.cycles(any, CALLERS, time).cycles();
    }

    /** Idle records as a release leaves them, used a moment ago. */
    private static void fill(HikariDataSource pool, int from, int to) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into holdfast_lock (namespace, name, stamp, fence, format, busy, body, past)"
                    + " select 'size', 'size-' || i, i + 1, extract(epoch from clock_timestamp())::bigint * 1000000, 1, 0,"
                    + " '{\"format\":1}', '' from generate_series(" + from + ", " + (to - 1) + ") i");
            statement.execute("checkpoint");
        }
    }
}
