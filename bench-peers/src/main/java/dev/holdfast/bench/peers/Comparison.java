package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.contender.ComparedLibrary.Server;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results;
import dev.holdfast.bench.peers.report.Tables;
import dev.holdfast.bench.peers.server.ChildJvm;
import dev.holdfast.bench.peers.server.RunningServer;
import dev.holdfast.bench.peers.worker.Figures;
import dev.holdfast.bench.peers.worker.Task;
import dev.holdfast.bench.peers.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One run of the benchmark: servers, results, and the time that is left. Runs workers, one measurement after the other. */
final class Comparison implements AutoCloseable {
    /** Of everybody's pool; the bare loop is measured with twice as many, too. */
    static final int CONNECTIONS = 16;

    /** Longer than any single measurement. */
    private static final Duration WORKER_LIMIT = Duration.ofMinutes(15);

    private final MeasurementPlan plan;
    private final Servers servers;
    private final Tables tables;
    private final Results results = new Results();
    private final Set<ComparedLibrary> chosen;
    private final long end;
    /** Of the part that is being measured. */
    private long partEnd;

    private int round = 1;

    /** Measures a part once. */
    interface PartRun {
        void run(Part part, Comparison comparison) throws InterruptedException;
    }

    interface Step {
        void run() throws MissingPartException, IOException, InterruptedException;
    }

    Comparison(MeasurementPlan plan, Set<ComparedLibrary> chosen, Servers servers, Tables tables) {
        this.plan = plan;
        this.chosen = chosen;
        this.servers = servers;
        this.tables = tables;
        this.end = System.nanoTime() + plan.limit().toNanos();
        this.partEnd = end;
    }

    /** Those of them that are to be measured. */
    List<ComparedLibrary> chosen(List<ComparedLibrary> all) {
        return all.stream().filter(chosen::contains).toList();
    }

    /**
     * Runs one round of the parts in order. Each may use its share of the time that is left for the round; what it does not need is left for
     * the others, and one that takes long does not take it all.
     */
    void round(int number, List<Part> parts, PartRun once) throws InterruptedException {
        round = number;
        long now = System.nanoTime();
        long roundEnd = now + (end - now) / (plan.repeats() - number + 1);
        for (int i = 0; i < parts.size(); i++) {
            double left = parts.subList(i, parts.size()).stream()
                    .mapToDouble(Part::share)
                    .sum();
            long time = Math.max(0, roundEnd - System.nanoTime());
            partEnd = System.nanoTime() + (long) (time * parts.get(i).share() / left);
            once.run(parts.get(i), this);
        }
    }

    MeasurementPlan plan() {
        return plan;
    }

    Servers servers() {
        return servers;
    }

    Results results() {
        return results;
    }

    int round() {
        return round;
    }

    /** Does this unless time is up; what fails is left out with the reason, and the rest goes on. */
    void step(Part part, String what, Step step) throws InterruptedException {
        if (System.nanoTime() - partEnd >= 0) {
            results.skip(new Results.Skipped(part, what, "its share of the time was up (see --minutes)"));
            return;
        }
        try {
            step.run();
        } catch (MissingPartException | IOException | RuntimeException e) {
            String reason = Optional.ofNullable(e.getMessage()).orElse(e.toString());
            results.skip(new Results.Skipped(part, what, reason));
            tables.line("  left out: " + part.letter() + " " + what + ": " + reason);
        }
    }

    /** What is written where about this contender. */
    static Results.Row row(Part part, String setting, ComparedLibrary who) {
        return new Results.Row(part, setting, who.label(), who.isOurs());
    }

    /** A task for this contender at its server; see {@link Task#words}. */
    Task task(Task.Kind kind, ComparedLibrary who, int connections, Object... words)
            throws MissingPartException, InterruptedException {
        if (who.server() == Server.FILE) {
            throw new IllegalArgumentException(who + " has no server");
        }
        return task(kind, who, servers.get(who.server()), connections, words);
    }

    /** The same at this server. */
    static Task task(Task.Kind kind, ComparedLibrary who, RunningServer server, int connections, Object... words) {
        return new Task(kind, who, server.address(), connections, server.pids(), Task.words(words));
    }

    /** Lets a fresh JVM do this, and keeps what it measured in the row of its label. */
    void measure(Task task, Function<String, Results.Row> row) throws IOException, InterruptedException {
        try (ChildJvm worker = worker(task)) {
            for (String line : worker.untilDone("result ", WORKER_LIMIT)) {
                Figures figures = Figures.parse(line);
                add(row.apply(figures.label()), figures);
            }
        }
    }

    ChildJvm worker(Task task) throws IOException {
        return ChildJvm.start(Worker.class, ChildJvm.SILENT, task.arguments());
    }

    void add(Results.Row row, Figures figures) {
        results.add(row, figures);
        tables.run(round, row, figures);
    }

    @Override
    public void close() {
        servers.close();
    }
}
