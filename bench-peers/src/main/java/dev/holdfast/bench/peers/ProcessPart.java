package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Results.Row;
import dev.holdfast.bench.peers.server.ChildJvm;
import dev.holdfast.bench.peers.worker.Figures;
import dev.holdfast.bench.peers.worker.Task;
import dev.holdfast.bench.peers.worker.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * H: how soon a fresh JVM has its first lock, what a held lock costs in memory, and how large the jars are that the process really loaded
 * classes from. Each is of a contender; beside them, how long a JVM takes that does nothing.
 */
record ProcessPart(Comparison run) {
    private static final int HELD = 2_000;
    /** On servers that are slow by nature; the memory of the client is the same. */
    private static final int FEW_HELD = 200;

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Pattern SOURCE = Pattern.compile("source: (?:file:|jar:file:)?(\\S+\\.jar)");
    private static final double MEGABYTE = 1e6;

    void once() throws InterruptedException {
        run.step(Part.PROCESS, "empty JVM", this::empty);
        for (ComparedLibrary who : run.chosen(ComparedLibrary.uncontended())) {
            if (who != ComparedLibrary.RAW_32) {
                run.step(Part.PROCESS, who.label(), () -> measure(who));
            }
        }
    }

    private void empty() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ChildJvm nothing = ChildJvm.start(Nothing.class, List.of(), List.of())) {
            nothing.expect("", LIMIT);
            run.add(
                    new Row(Part.PROCESS, "fresh process", "a JVM that does nothing", false),
                    Figures.of("fresh process", Worker.START, (System.nanoTime() - start) / 1e6));
        }
    }

    static final class Nothing {
        private Nothing() {}

        public static void main(String[] args) {
            System.out.println("done");
        }
    }

    private void measure(ComparedLibrary who) throws MissingPartException, IOException, InterruptedException {
        int held = who.server() == ComparedLibrary.Server.DYNAMO ? FEW_HELD : HELD;
        Task task = run.task(Task.Kind.HELD, who, Comparison.CONNECTIONS, held);
        run.measure(task, label -> Comparison.row(Part.PROCESS, label, who));
        if (run.round() == 1) {
            run.add(Comparison.row(Part.PROCESS, "jars", who), Figures.of("jars", "jars_mb", jars(task) / MEGABYTE));
        }
    }

    /** Once more, with a list of the classes it loads. */
    private long jars(Task task) throws IOException, InterruptedException {
        Path list = Files.createTempFile("classes", ".txt");
        try {
            Task few = new Task(
                    task.kind(), task.entrant(), task.address(), task.connections(), task.servers(), List.of("1"));
            List<String> flags =
                    List.of("-Xlog:class+load=info:file=" + list + "::filecount=0", ChildJvm.SILENT.get(0));
            try (ChildJvm worker = ChildJvm.start(Worker.class, flags, few.arguments())) {
                worker.expect("done", LIMIT);
            }
            Set<Path> jars = new TreeSet<>();
            Matcher sources = SOURCE.matcher(Files.readString(list, StandardCharsets.UTF_8));
            while (sources.find()) {
                jars.add(Path.of(sources.group(1)));
            }
            long size = 0;
            for (Path jar : jars) {
                // Of this benchmark itself, which is nobody's.
                if (!jar.getFileName().toString().startsWith("holdfast-bench")) {
                    size += Files.size(jar);
                }
            }
            return size;
        } finally {
            Files.deleteIfExists(list);
        }
    }
}
