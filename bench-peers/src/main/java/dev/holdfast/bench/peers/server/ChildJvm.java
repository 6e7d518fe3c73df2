package dev.holdfast.bench.peers.server;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A fresh JVM with the class path of this one, and a conversation with it by lines. Killed with all it started when it is closed. */
public final class ChildJvm implements AutoCloseable {
    /** Nobody logs: some would fill the disk, and all would be compared by how much they say. */
    public static final List<String> SILENT = List.of("-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider");

    private static final String END = "\0end";
    private static final int LAST_LINES = 6;
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final Process process;
    private final Path errors;
    private final PrintWriter input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.input = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        DaemonThreads.start("output of " + process.pid(), this::read);
    }

    public static ChildJvm start(Class<?> main, List<String> flags, List<String> arguments) throws IOException {
        List<String> more = new ArrayList<>(List.of("-Xlog:disable"));
        more.addAll(flags);
        List<String> words = JavaProgram.of(main)
                .withAllCompilers()
                .heap("2g", more.toArray(String[]::new))
                .words(arguments.toArray(String[]::new));
        Path errors = Files.createTempFile("holdfast-bench", ".err");
        errors.toFile().deleteOnExit();
        return new ChildJvm(
                new ProcessBuilder(words).redirectError(errors.toFile()).start(), errors);
    }

    private void read() {
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output cannot be read: " + e.getMessage());
        }
        lines.add(END);
    }

    /** The next line it prints that begins so, without the beginning; others are passed over. */
    public String expect(String beginning, Duration limit) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            String line = lines.poll(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new IOException(
                        "nothing heard of process " + process.pid() + " for " + limit.toSeconds() + " s" + words());
            }
            if (line.equals(END)) {
                throw new IOException("process " + process.pid() + " has ended early" + words());
            }
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
        }
    }

    /** All lines it prints that begin so, without the beginning, until it says that it is done. */
    public List<String> untilDone(String beginning, Duration limit) throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        for (String line = expect("", limit); !line.equals("done"); line = expect("", limit)) {
            if (line.startsWith(beginning)) {
                found.add(line.substring(beginning.length()));
            }
        }
        return found;
    }

    public void tell(String line) {
        input.println(line);
    }

    public long pid() {
        return process.pid();
    }

    /** The last it had to say of what went wrong. */
    private String words() {
        try {
            List<String> all = Files.readAllLines(errors, StandardCharsets.UTF_8).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("\tat "))
                    .toList();
            String last = String.join(" | ", all.subList(Math.max(0, all.size() - LAST_LINES), all.size()));
            return last.isEmpty() ? "" : ": " + last;
        } catch (IOException e) {
            return "";
        }
    }

    /** Its input ends, which asks it to end; what is left after ten seconds is killed. */
    @Override
    public void close() {
        List<ProcessHandle> below = process.descendants().toList();
        input.close();
        try {
            if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        below.forEach(ProcessHandle::destroyForcibly);
        errors.toFile().delete();
    }
}
