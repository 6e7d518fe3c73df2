package dev.holdfast.cli.exec;

import dev.holdfast.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** {@code holdfast exec} as a process of its own; killed at the end of the test with what it started, if it still runs. */
public final class ExecProcess implements AutoCloseable {
    /** JVMs on a crowded machine, and leases to run out. */
    static final Duration LIMIT = Duration.ofMinutes(3);

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;

    private ExecProcess(Process process) {
        this.process = process;
        this.readers = List.of(read(process.getInputStream(), out), read(process.getErrorStream(), err));
    }

    /** Starts one in this directory, with a store in a file there. */
    public static ExecProcess start(Path directory, String... arguments) {
        return startOn(store(directory), directory, arguments);
    }

    public static ExecProcess startOn(String store, Path directory, String... arguments) {
        List<String> command = command();
        command.addAll(List.of(arguments));
        // Run in the background of a script, a build ignores INT, and so would what it starts.
        command.addAll(0, List.of("env", "--default-signal=INT,HUP,TERM"));
        return run(store, directory, command);
    }

    /** The words that start {@code holdfast exec}. */
    public static List<String> command() {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED", // or newer JDKs warn of SQLite's driver
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "exec"));
    }

    public static ExecProcess run(String store, Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().put(store.startsWith("http") ? "HOLDFAST_SERVER" : "HOLDFAST_STORE", store);
        try {
            return new ExecProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String store(Path directory) {
        return "sqlite:" + directory.resolve("locks.db");
    }

    private static Thread read(InputStream stream, List<String> lines) {
        Thread reader = new Thread(() -> {
            try (BufferedReader text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = text.readLine(); line != null; line = text.readLine()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                lines.add("output cannot be read: " + e); // shows up in what the test compares
            }
        });
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    /** Gives it this input, and the end of it. */
    public ExecProcess type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        return this;
    }

    public void signal(String name) throws IOException, InterruptedException {
        int result = new ProcessBuilder("sh", "-c", "kill -s " + name + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (result != 0) {
            throw new AssertionError("kill -s " + name + " failed for " + this);
        }
    }

    /** Waits for its end; the exit code. */
    public int exit() throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + this);
        }
        for (Thread reader : readers) {
            reader.join(TimeUnit.SECONDS.toMillis(5)); // what it left behind may keep the outputs open
        }
        return process.exitValue();
    }

    public String out() {
        return String.join("\n", out);
    }

    public String err() {
        return String.join("\n", err);
    }

    /** Returns once the condition holds, with a limit; fails also when the process has ended meanwhile. */
    public void until(String what, BooleanSupplier condition) {
        awaited(what + " by " + this, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (!process.isAlive() && !condition.getAsBoolean()) {
                throw new AssertionError("ended before " + what + ": " + this);
            }
            return false;
        });
    }

    /** Returns once this file has something in it; what that is. */
    public String untilWritten(Path file) {
        until(
                file + " is written",
                () -> Files.isRegularFile(file) && !content(file).isEmpty());
        return content(file);
    }

    public static String content(Path file) {
        try {
            return Files.readString(file).trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void awaited(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited " + LIMIT + " in vain until " + what);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting until " + what, e);
            }
        }
    }

    /** Whether this process runs: neither gone, nor dead and not yet noticed by its parent. */
    public static boolean runs(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !ProcFiles.isZombie(pid);
    }

    @Override
    public void close() {
        List<ProcessHandle> below = process.descendants().toList();
        process.toHandle().destroyForcibly(); // by its handle: the process object would close the output too
        below.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }

    @Override
    public String toString() {
        return "exec " + process.pid() + (process.isAlive() ? " (runs)" : " (ended " + process.exitValue() + ")") + "\n"
                + out() + "\n" + err();
    }
}
