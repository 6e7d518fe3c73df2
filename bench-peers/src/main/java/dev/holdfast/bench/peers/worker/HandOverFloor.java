package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.RawUpserts;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * What a hand-over between two connections of PostgreSQL takes at least: one gives the lock back and notifies in the same statement, the
 * other hears of it while it listens and takes the lock with one statement. The word is how many milliseconds.
 */
record HandOverFloor(Task task) {
    private static final String CHANNEL = "floor";
    private static final String NAME = "floor";
    private static final int LISTEN_MILLIS = 5_000;
    private static final int WARM_UP = 200;

    void run() throws Exception {
        ExecutorService listening = Executors.newSingleThreadExecutor();
        try (RawUpserts table = RawUpserts.onPostgres(task.address(), 2);
                Connection notifier = DriverManager.getConnection(task.address());
                Connection listener = DriverManager.getConnection(task.address());
                PreparedStatement release = notifier.prepareStatement(
                        "with given as (update raw_lock set expires_at = now() - interval '1 s' where name = ? returning name)"
                                + " select pg_notify('" + CHANNEL + "', name) from given")) {
            try (Statement listen = listener.createStatement()) {
                listen.execute("listen " + CHANNEL);
            }
            table.take(NAME, "floor");
            release.setString(1, NAME);
            sample(table, release, listener, listening, WARM_UP, Duration.ofMinutes(1));
            long[][] taken =
                    sample(table, release, listener, listening, Integer.MAX_VALUE, Duration.ofMillis(task.number(0)));
            new Figures("two processes", Map.of())
                    .with(Figures.P50, Loop.micros(taken[1], 0.5))
                    .with(Figures.P99, Loop.micros(taken[1], 0.99))
                    .with("heard_p50_us", Loop.micros(taken[0], 0.5))
                    .print();
        } finally {
            listening.shutdownNow();
        }
    }

    /** Until heard, and until taken, both sorted. */
    private static long[][] sample(
            RawUpserts table,
            PreparedStatement release,
            Connection listener,
            ExecutorService listening,
            int most,
            Duration time)
            throws Exception {
        long[] heard = new long[Math.min(most, 100_000)];
        long[] had = new long[heard.length];
        int count = 0;
        long end = System.nanoTime() + time.toNanos();
        while (count < heard.length && System.nanoTime() - end < 0) {
            CompletableFuture<Void> parked = new CompletableFuture<>();
            CompletableFuture<long[]> told =
                    CompletableFuture.supplyAsync(() -> hear(table, listener, parked), listening);
            parked.join();
            TimeUnit.MILLISECONDS.sleep(2); // it listens by then; a waiter has been waiting when its turn comes
            long start = System.nanoTime();
            release.execute();
            long[] times = told.get();
            heard[count] = times[0] - start;
            had[count++] = times[1] - start;
        }
        long[][] sorted = {Arrays.copyOf(heard, count), Arrays.copyOf(had, count)};
        Arrays.sort(sorted[0]);
        Arrays.sort(sorted[1]);
        return sorted;
    }

    private static long[] hear(RawUpserts table, Connection listener, CompletableFuture<Void> parked) {
        try {
            parked.complete(null);
            PGNotification[] all = listener.unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
            long heard = System.nanoTime();
            if (all == null || all.length == 0 || !table.take(NAME, "floor")) {
                throw new IllegalStateException("not told, or the lock was not free");
            }
            return new long[] {heard, System.nanoTime()};
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
