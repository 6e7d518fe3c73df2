package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.Handovers.Turn;
import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.report.Goals;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results;
import dev.holdfast.bench.peers.server.ChildJvm;
import dev.holdfast.bench.peers.server.ProcessTime;
import dev.holdfast.bench.peers.server.RunningServer;
import dev.holdfast.bench.peers.worker.Figures;
import dev.holdfast.bench.peers.worker.Task;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * B: one lock that everybody wants. Sixteen callers in one process; sixteen processes with one caller each; and two processes in turn, for how
 * long a hand-over takes, beside the floor of PostgreSQL.
 */
record ContendedPart(Comparison run) {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    /** A process with one caller needs few connections; ours wants one that listens, too. */
    private static final int CONNECTIONS = 6;
    /** In turn: one holds it long enough for the other to wait. */
    private static final int HOLD_MICROS = 10_000;

    private static final int PAUSE_MICROS = 1_000;

    private enum Shape {
        ONE_PROCESS,
        MANY_PROCESSES,
        PING_PONG
    }

    void once() throws InterruptedException {
        for (Shape shape : Shape.values()) {
            if (shape == Shape.PING_PONG) {
                run.step(Part.CONTENDED, Goals.FLOOR, this::floor);
            }
            for (ComparedLibrary who : run.chosen(ComparedLibrary.waiting())) {
                run.step(Part.CONTENDED, setting(shape) + ", " + who.label(), () -> measure(shape, who));
            }
        }
    }

    private String setting(Shape shape) {
        return switch (shape) {
            case ONE_PROCESS -> Goals.ONE_PROCESS;
            case MANY_PROCESSES ->
                run.plan().processes() == 16 ? Goals.MANY_PROCESSES : run.plan().processes() + " processes";
            case PING_PONG -> Goals.PING_PONG;
        };
    }

    private void floor() throws MissingPartException, IOException, InterruptedException {
        run.measure(
                run.task(Task.Kind.FLOOR, ComparedLibrary.RAW, 1, run.plan().window()),
                label -> new Results.Row(Part.CONTENDED, Goals.PING_PONG, Goals.FLOOR, false));
    }

    private void measure(Shape shape, ComparedLibrary who)
            throws MissingPartException, IOException, InterruptedException {
        int processes = switch (shape) {
            case ONE_PROCESS -> 1;
            case MANY_PROCESSES -> run.plan().processes();
            case PING_PONG -> 2;
        };
        boolean inTurn = shape == Shape.PING_PONG;
        // Another each time: what a killed process left held would be waited for.
        String name = "wanted-" + shape.name().toLowerCase(Locale.ROOT) + "-" + run.round() + "-"
                + ProcessHandle.current().pid();
        Task task = run.task(
                Task.Kind.TURNS,
                who,
                processes == 1 ? Comparison.CONNECTIONS : CONNECTIONS,
                name,
                processes == 1 ? 16 : 1,
                inTurn ? HOLD_MICROS : 0,
                inTurn ? PAUSE_MICROS : 0);
        List<ChildJvm> workers = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                workers.add(run.worker(task));
            }
            for (ChildJvm worker : workers) {
                worker.expect("ready", START_LIMIT);
            }
            workers.forEach(worker -> worker.tell("go"));
            TimeUnit.MILLISECONDS.sleep(run.plan().warmAfter().toMillis());
            Figures figures = watch(shape, workers, who);
            run.add(Comparison.row(Part.CONTENDED, setting(shape), who), figures);
        } finally {
            workers.forEach(ChildJvm::close);
        }
    }

    private Figures watch(Shape shape, List<ChildJvm> workers, ComparedLibrary who)
            throws MissingPartException, IOException, InterruptedException {
        RunningServer server = run.servers().get(who.server());
        List<Long> clients = workers.stream().map(ChildJvm::pid).toList();
        Optional<StatementCount> statements = shape == Shape.MANY_PROCESSES && who.server() == Server.POSTGRES
                ? Optional.of(new StatementCount(server.address()))
                : Optional.empty();
        OptionalLong before = statements.map(StatementCount::read).orElse(OptionalLong.empty());
        double client = ProcessTime.seconds(clients);
        double used = ProcessTime.seconds(server.pids());
        long from = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(run.plan().window().toMillis());
        long to = System.nanoTime();
        double clientUsed = ProcessTime.seconds(clients) - client;
        double serverUsed = ProcessTime.seconds(server.pids()) - used;
        OptionalLong after = statements.map(StatementCount::read).orElse(OptionalLong.empty());
        long until = System.nanoTime(); // the counters of PostgreSQL are a second behind, and the load went on
        workers.forEach(worker -> worker.tell("end"));
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            turns.addAll(turns(i, workers.get(i)));
        }
        Handovers measured = Handovers.between(from, to, turns);
        if (measured.overlaps() > 0) {
            throw new IOException(measured.overlaps() + " of "
                    + measured.turns().size() + " turns began before the last had ended: two holders at once");
        }
        double count = Math.max(1, measured.turns().size());
        Figures figures = measured.figures(setting(shape), (to - from) / 1e9, shape == Shape.PING_PONG)
                .with(Figures.CLIENT, clientUsed * 1e6 / count)
                .with(Figures.SERVER, serverUsed * 1e6 / count);
        if (before.isPresent() && after.isPresent()) {
            double all =
                    Math.max(1, Handovers.between(from, until, turns).turns().size());
            return figures.with(Goals.STORE_CALLS, (after.getAsLong() - before.getAsLong()) / all);
        }
        return figures;
    }

    private static List<Turn> turns(int process, ChildJvm worker) throws IOException, InterruptedException {
        return worker.untilDone("turn ", START_LIMIT).stream()
                .map(line -> line.split(" ", -1))
                .map(words -> new Turn(process, Long.parseLong(words[0]), Long.parseLong(words[1])))
                .toList();
    }

    /** Transactions of PostgreSQL so far. Each of its processes reports its own once a second, so this takes a little more. */
    private record StatementCount(String jdbcUrl) {
        private static final int REPORTED_MILLIS = 1_100;

        OptionalLong read() {
            try (Connection connection = DriverManager.getConnection(jdbcUrl);
                    Statement statement = connection.createStatement()) {
                TimeUnit.MILLISECONDS.sleep(REPORTED_MILLIS);
                try (ResultSet row = statement.executeQuery(
                        "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()")) {
                    row.next();
                    return OptionalLong.of(row.getLong(1));
                }
            } catch (SQLException e) {
                return OptionalLong.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return OptionalLong.empty();
            }
        }
    }
}
