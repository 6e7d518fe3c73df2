package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results.Row;
import dev.holdfast.bench.peers.server.RunningServer;
import dev.holdfast.bench.peers.worker.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** C to F: renewals, PostgreSQL's own limit, the embedded store, and the server, state and MariaDB. */
record SmallerParts(Comparison run) {
    private static final int RENEWERS = 32;
    private static final int ROWS = 128;
    private static final int CONNECTIONS = 64;

    void renewals() throws InterruptedException {
        for (ComparedLibrary who : run.chosen(ComparedLibrary.renewing())) {
            run.step(
                    Part.RENEWALS,
                    who.label(),
                    () -> run.measure(
                            run.task(
                                    Task.Kind.RENEWALS,
                                    who,
                                    Comparison.CONNECTIONS,
                                    words(
                                            RENEWERS,
                                            run.plan().warmAfter(),
                                            run.plan().window())),
                            label -> Comparison.row(Part.RENEWALS, label, who)));
        }
    }

    void limit() throws InterruptedException {
        for (int connections : List.of(1, 2)) {
            run.step(
                    Part.LIMIT,
                    connections + " connections",
                    () -> run.measure(
                            run.task(
                                    Task.Kind.UNNEST,
                                    ComparedLibrary.RAW,
                                    connections,
                                    List.of(
                                            Integer.toString(ROWS),
                                            Integer.toString(connections),
                                            millis(run.plan().warmAfter()),
                                            millis(run.plan().window()))),
                            label -> new Row(Part.LIMIT, ROWS + " locks per statement", label, false)));
        }
    }

    void embedded() throws InterruptedException {
        run.step(
                Part.EMBEDDED,
                "SQLite",
                () -> run.measure(
                        file(
                                Task.Kind.SQLITE,
                                words(ROWS, run.plan().warmAfter(), run.plan().window())),
                        label -> {
                            int comma = label.lastIndexOf(", ");
                            String who = label.substring(0, comma);
                            return new Row(Part.EMBEDDED, label.substring(comma + 2), who, who.startsWith("Holdfast"));
                        }));
    }

    void services() throws InterruptedException {
        run.step(Part.SERVICES, "HTTP", this::http);
        run.step(
                Part.SERVICES,
                "state",
                () -> run.measure(
                        file(
                                Task.Kind.STATE,
                                List.of("20", millis(run.plan().window().multipliedBy(2)))),
                        label -> {
                            String who = label.substring(0, label.lastIndexOf(", "));
                            return new Row(Part.SERVICES, "state of 1 MB", who, who.startsWith("state"));
                        }));
        for (ComparedLibrary who : run.chosen(List.of(ComparedLibrary.RAW_MARIADB, ComparedLibrary.HOLDFAST_MARIADB))) {
            run.step(
                    Part.SERVICES,
                    who.label(),
                    () -> run.measure(
                            run.task(
                                    Task.Kind.CYCLES,
                                    who,
                                    Comparison.CONNECTIONS,
                                    List.of(
                                            ROWS + "x" + millis(run.plan().warmAfter()) + ":-",
                                            ROWS + "x" + millis(run.plan().window()) + ":MariaDB, " + ROWS
                                                    + " callers")),
                            label -> Comparison.row(Part.SERVICES, label, who)));
        }
    }

    private void http() throws IOException, InterruptedException {
        try (RunningServer server = run.servers().onSqlite()) {
            run.measure(
                    new Task(
                            Task.Kind.HTTP,
                            ComparedLibrary.HOLDFAST_HTTP,
                            server.address(),
                            CONNECTIONS,
                            server.pids(),
                            words(
                                    CONNECTIONS,
                                    run.plan().warmAfter().multipliedBy(3), // a server runs for weeks
                                    run.plan().window())),
                    label -> {
                        String who = label.substring(0, label.lastIndexOf(", "));
                        return new Row(
                                Part.SERVICES, "HTTP, " + CONNECTIONS + " connections", who, !who.startsWith("empty"));
                    });
        }
    }

    /** Without a server: the whole cost is the client's. */
    private Task file(Task.Kind kind, List<String> words) throws IOException {
        Path directory = run.servers().fresh();
        return new Task(kind, ComparedLibrary.HOLDFAST_SQLITE, directory.toString(), 1, List.of(), words);
    }

    private static List<String> words(int count, Duration warmUp, Duration time) {
        return List.of(Integer.toString(count), millis(warmUp), millis(time));
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }
}
