package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.report.Goals;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results.Row;
import dev.holdfast.bench.peers.server.ChildJvm;
import dev.holdfast.bench.peers.server.RunningServer;
import dev.holdfast.bench.peers.worker.Figures;
import dev.holdfast.bench.peers.worker.Task;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** G: ours with more and more of this, on PostgreSQL: at most so many records, waiters over many keys and held leases. */
record GrowthPart(Comparison run, int most, Set<Of> of) {
    /** What there is more and more of. */
    enum Of {
        RECORDS,
        WAITERS,
        REPLICAS,
        HELD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int CALLERS = 32;
    private static final int FEWEST = 1_000;
    private static final int MOST_ON_ONE_KEY = 1_000;
    private static final int MOST_WAITERS = 100_000;
    private static final int WAITERS_PER_KEY = 10;
    private static final int MOST_HELD = 1_000_000;
    private static final int REPLICAS = 4;
    private static final int CALLERS_OF_REPLICAS = 64;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    void once() throws InterruptedException {
        if (of.contains(Of.RECORDS) && run.round() == 1) {
            records();
        }
        if (of.contains(Of.WAITERS)) {
            for (int waiters = 1; waiters <= Math.min(most, MOST_ON_ONE_KEY); waiters *= 10) {
                waiters(1, waiters);
            }
            int many = Math.min(most, MOST_WAITERS);
            waiters(Math.max(1, many / WAITERS_PER_KEY), WAITERS_PER_KEY);
        }
        for (int replicas = 1; of.contains(Of.REPLICAS) && replicas <= REPLICAS; replicas++) {
            int count = replicas;
            run.step(Part.GROWTH, "replicas: " + count, () -> replicas(count));
        }
        if (of.contains(Of.HELD)) {
            held(Math.min(most, MOST_HELD));
        }
    }

    /** A lease of five minutes is renewed every half minute: four rounds of renewals. */
    private void held(int leases) throws InterruptedException {
        run.step(
                Part.GROWTH,
                "held leases: " + leases,
                () -> run.measure(
                        task(
                                Task.Kind.RECORDS,
                                "held",
                                leases,
                                run.plan().warmAfter().multipliedBy(6)),
                        label -> row("held leases of 5 min: " + leases)));
    }

    /** More are added for each step, and each step is repeated before the next: a table does not shrink. */
    private void records() throws InterruptedException {
        for (int records = FEWEST; records <= most && records > 0; records *= 10) {
            int from = records == FEWEST ? 0 : records / 10;
            int to = records;
            run.step(Part.GROWTH, "records: " + to, () -> {
                fill(from, to);
                for (int i = 0; i < run.plan().repeats(); i++) {
                    run.measure(
                            task(
                                    Task.Kind.RECORDS,
                                    to,
                                    CALLERS,
                                    run.plan().warmAfter(),
                                    run.plan().window()),
                            label -> row(Goals.RECORDS + to));
                }
            });
            if (records > Integer.MAX_VALUE / 10) {
                return;
            }
        }
    }

    private void waiters(int keys, int perKey) throws InterruptedException {
        String setting = keys == 1 ? "waiters on one key: " + perKey : "waiters on " + keys + " keys: " + keys * perKey;
        run.step(
                Part.GROWTH,
                setting,
                () -> run.measure(
                        task(Task.Kind.WAITERS, keys, perKey, run.plan().warmAfter()), label -> row(setting)));
    }

    private static Row row(String setting) {
        return Comparison.row(Part.GROWTH, setting, ComparedLibrary.HOLDFAST);
    }

    private Task task(Task.Kind kind, Object... words) throws MissingPartException, InterruptedException {
        return run.task(kind, ComparedLibrary.HOLDFAST, Comparison.CONNECTIONS, words);
    }

    /** The same callers, spread over more servers of ours on one database. */
    private void replicas(int count) throws MissingPartException, IOException, InterruptedException {
        List<RunningServer> servers = new ArrayList<>();
        List<ChildJvm> workers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                servers.add(run.servers().onPostgres());
            }
            int callers = CALLERS_OF_REPLICAS / count;
            for (RunningServer server : servers) {
                workers.add(run.worker(Comparison.task(
                        Task.Kind.CYCLES,
                        ComparedLibrary.HOLDFAST_HTTP,
                        server,
                        1,
                        Task.step(callers, run.plan().warmAfter(), "-"),
                        Task.step(callers, run.plan().window(), "replica"))));
            }
            double rate = 0;
            for (ChildJvm worker : workers) {
                rate += Figures.parse(worker.expect("result ", LIMIT)).value(Figures.RATE);
            }
            run.add(
                    Comparison.row(Part.GROWTH, "replicas: " + count, ComparedLibrary.HOLDFAST_HTTP),
                    new Figures("replicas", Map.of(Figures.RATE, rate)));
        } finally {
            workers.forEach(ChildJvm::close);
            servers.forEach(RunningServer::close);
        }
    }

    /** Idle records as a release leaves them, used a moment ago. */
    private void fill(int from, int to) throws MissingPartException, IOException, InterruptedException {
        String jdbcUrl = run.servers().get(Server.POSTGRES).address();
        try {
            ComparedLibrary.HOLDFAST.connect(jdbcUrl, 2).close(); // its tables
            try (Connection connection = DriverManager.getConnection(jdbcUrl);
                    Statement statement = connection.createStatement()) {
                statement.execute("insert into holdfast_lock (namespace, name, stamp, fence, format, busy, body, past)"
                        + " select 'growth', 'size-' || i, i + 1, extract(epoch from clock_timestamp())::bigint * 1000000, 1, 0,"
                        + " '{\"format\":1}', '' from generate_series(" + from + ", " + (to - 1) + ") i"
                        + " on conflict do nothing");
                statement.execute("analyze holdfast_lock");
                statement.execute("checkpoint");
            }
        } catch (SQLException e) {
            throw new IOException("the table could not be filled: " + e.getMessage(), e);
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
