package dev.holdfast.bench;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Two processes with many callers each that want one lock. How long after the release in one the next in the other has it, and
 * how many transactions the server saw for each hand-over. Both read the machine's monotonic clock, which is one clock.
 *
 * <p>With more callers than the 64 whose places are stored, those of one process mostly follow each other; with fewer, every
 * second hand-over is to the other process. So both are measured.
 */
record HandOver(Report report, Duration time) {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    /** Short against the time until the next turn of the same caller. */
    private static final long MAX_PAUSE_MICROS = 50_000;

    /** One turn of one caller, in nanoseconds. */
    private record Turn(int process, long token, long had, long gaveUp) {}

    void measure(String url, String jdbc) throws Exception {
        measure(url, jdbc, 50);
        measure(url, jdbc, 30);
    }

    private void measure(String url, String jdbc, int callers) throws Exception {
        List<Process> processes = List.of(start(url, callers), start(url, callers));
        try {
            TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
            long before = transactions(jdbc);
            long from = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(time.toMillis());
            long transactions = transactions(jdbc) - before;
            long to = System.nanoTime();
            List<Turn> turns = new ArrayList<>();
            for (int i = 0; i < processes.size(); i++) {
                processes.get(i).getOutputStream().close(); // the sign to end
            }
            for (int i = 0; i < processes.size(); i++) {
                turns.addAll(read(i, processes.get(i)));
            }
            print(
                    turns.stream()
                            .filter(turn -> turn.had() > from && turn.had() < to)
                            .sorted(Comparator.comparingLong(Turn::token))
                            .toList(),
                    transactions,
                    2 * callers);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private void print(List<Turn> turns, long transactions, int waiters) {
        List<Long> across = new ArrayList<>();
        for (int i = 1; i < turns.size(); i++) {
            if (turns.get(i).process() != turns.get(i - 1).process()) {
                across.add(turns.get(i).had() - turns.get(i - 1).gaveUp());
            }
        }
        long[] sorted = across.stream().mapToLong(Long::longValue).sorted().toArray();
        report.line(
                "postgresql, hand-over between processes, " + waiters,
                Load.percentile(sorted, 0.5).toNanos() / 1e6,
                "ms p50 (goal under 10), p99 " + Report.micros(Load.percentile(sorted, 0.99)) + ", " + sorted.length
                        + " of " + turns.size() + " hand-overs");
        report.line(
                "store calls per hand-over, " + waiters + " waiters",
                transactions / (double) Math.max(1, turns.size()),
                "transactions (goal 5 or fewer)");
    }

    private static Process start(String url, int callers) throws IOException {
        return AnsweringApps.java(HandOver.class, url, Integer.toString(callers));
    }

    private static List<Turn> read(int process, Process from) throws IOException {
        List<Turn> turns = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ", -1);
                turns.add(new Turn(
                        process, Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])));
            }
        }
        return turns;
    }

    private static long transactions(String jdbc) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbc);
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            TimeUnit.MILLISECONDS.sleep(1_100); // the others report theirs once a second
            try (ResultSet row = statement.executeQuery(
                    "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()")) {
                row.next();
                return row.getLong(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** One of the two processes: takes turns until its input ends, then prints them. */
    public static void main(String[] args) throws Exception {
        List<long[]> turns = new ArrayList<>();
        int count = Integer.parseInt(args[1]);
        ExecutorService callers = Executors.newFixedThreadPool(count);
        try (LockClient locks = LockClient.connect(args[0])) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(callers.submit(() -> takeTurns(locks, turns)));
            }
            System.in.readAllBytes();
            callers.shutdownNow();
            if (!callers.awaitTermination(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException(all.size() + " callers do not end");
            }
        }
        StringBuilder said = new StringBuilder();
        for (long[] turn : turns) {
            said.append(turn[0] + " " + turn[1] + " " + turn[2] + "\n");
        }
        System.out.print(said);
    }

    private static Void takeTurns(LockClient locks, List<long[]> turns) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            Lease lease = locks.acquire("hand-over", o -> o.waitUpTo(Duration.ofMinutes(5)));
            long had = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(1);
            long gaveUp = System.nanoTime();
            lease.close();
            synchronized (turns) {
                turns.add(new long[] {lease.token().value(), had, gaveUp});
            }
            // Else the order in which they first came would stay, and all of one process would follow each other.
            TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(MAX_PAUSE_MICROS));
        }
        return null;
    }
}
