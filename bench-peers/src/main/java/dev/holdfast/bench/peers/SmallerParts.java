package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results.Row;
import dev.holdfast.bench.peers.server.RunningServer;
import dev.holdfast.bench.peers.worker.Task;
import java.io.IOException;
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
                                    RENEWERS,
                                    run.plan().warmAfter(),
                                    run.plan().window()),
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
                                    ROWS,
                                    connections,
                                    run.plan().warmAfter(),
                                    run.plan().window()),
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
                                ROWS,
                                run.plan().warmAfter(),
                                run.plan().window()),
                        label -> new Row(
                                Part.EMBEDDED,
                                label.substring(label.lastIndexOf(", ") + 2),
                                who(label),
                                label.startsWith("Holdfast"))));
    }

    void services() throws InterruptedException {
        run.step(Part.SERVICES, "HTTP", this::http);
        run.step(
                Part.SERVICES,
                "state",
                () -> run.measure(
                        file(Task.Kind.STATE, 20, run.plan().window().multipliedBy(2)),
                        label -> new Row(Part.SERVICES, "state of 1 MB", who(label), label.startsWith("state"))));
        for (ComparedLibrary who : run.chosen(List.of(ComparedLibrary.RAW_MARIADB, ComparedLibrary.HOLDFAST_MARIADB))) {
            run.step(
                    Part.SERVICES,
                    who.label(),
                    () -> run.measure(
                            run.task(
                                    Task.Kind.CYCLES,
                                    who,
                                    Comparison.CONNECTIONS,
                                    Task.step(ROWS, run.plan().warmAfter(), "-"),
                                    Task.step(ROWS, run.plan().window(), "MariaDB, " + ROWS + " callers")),
                            label -> Comparison.row(Part.SERVICES, label, who)));
        }
    }

    private void http() throws IOException, InterruptedException {
        try (RunningServer server = run.servers().onSqlite()) {
            run.measure(
                    Comparison.task(
                            Task.Kind.HTTP,
                            ComparedLibrary.HOLDFAST_HTTP,
                            server,
                            CONNECTIONS,
                            CONNECTIONS,
                            run.plan().warmAfter().multipliedBy(3), // a server runs for weeks
                            run.plan().window()),
                    label -> new Row(
                            Part.SERVICES,
                            "HTTP, " + CONNECTIONS + " connections",
                            who(label),
                            !label.startsWith("empty")));
        }
    }

    /** Without a server: the whole cost is the client's. */
    private Task file(Task.Kind kind, Object... words) throws IOException {
        String directory = run.servers().place("files").toString();
        return new Task(kind, ComparedLibrary.HOLDFAST_SQLITE, directory, 1, List.of(), Task.words(words));
    }

    /** Of a label {@code WHO, SETTING}. */
    private static String who(String label) {
        return label.substring(0, label.lastIndexOf(", "));
    }
}
