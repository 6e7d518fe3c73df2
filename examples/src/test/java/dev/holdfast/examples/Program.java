package dev.holdfast.examples;

import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** An example as a process of its own; killed at the end of the test if it still runs. */
final class Program implements AutoCloseable {
    private final String owner;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader = new Thread(this::read);

    private Program(String pod, Process process) {
        this.owner = pod + "-" + process.pid() + "-"
                + process.info().startInstant().orElseThrow().getEpochSecond();
        this.process = process;
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts {@code main} on a pod of this name. */
    static Program start(Class<?> main, String pod, Map<String, String> environment, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("HOSTNAME", pod);
        try {
            return new Program(pod, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output cannot be read: " + e); // shows up in what the test compares
        }
    }

    /** The name it goes by in the locks. */
    String owner() {
        return owner;
    }

    /** Waits until it has printed a line with this text. */
    String awaitLine(String text) {
        try {
            Await.until("'" + text + "'", () -> saysAlready(text) || !reader.isAlive());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + " is printed by " + this, e);
        }
        return lines.stream()
                .filter(line -> line.contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("ended without '" + text + "': " + this));
    }

    boolean saysAlready(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    boolean runs() {
        return process.isAlive();
    }

    /** Waits for its end; the exit code. */
    int exit() {
        try {
            if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("does not end: " + this);
            }
            reader.join(Await.LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, e);
        }
        return process.exitValue();
    }

    /** {@code KILL} as a crash, {@code TERM} as Kubernetes asks to end, {@code STOP} and {@code CONT} as a long pause. */
    void signal(String name) {
        try {
            int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (result != 0) {
                throw new AssertionError("kill -" + name + " failed for " + this);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("kill -" + name + " failed for " + this, e);
        }
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly(); // by its handle: the process object would close the output too
        process.onExit().join();
    }

    @Override
    public String toString() {
        return owner + (runs() ? " (runs) " : " (ended) ") + lines;
    }
}
