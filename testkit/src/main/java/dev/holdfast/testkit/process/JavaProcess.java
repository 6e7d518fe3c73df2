package dev.holdfast.testkit.process;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Another JVM of ours, started by a {@link JavaProgram}; killed at the end of the test if it still runs. */
public final class JavaProcess implements AutoCloseable {
    /** JVMs on a crowded machine, and leases to run out. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    /** What it started and left behind may keep its outputs open. */
    private static final long LAST_WORDS_MILLIS = 5_000;

    /** A JVM that is asked for its threads ends with this. */
    private static final String LAST_OF_THREADS = "JNI global refs";

    private final Process process;
    private final String name;
    private final String host;
    /** Asked for at once: nobody tells it of a process that has ended. */
    private final Optional<Instant> started;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;
    private int heard;

    JavaProcess(Process process, String program, String host) {
        this.process = process;
        this.name = program + " " + process.pid();
        this.host = host;
        this.started = process.info().startInstant();
        this.readers = List.of(read(process.getInputStream(), said), read(process.getErrorStream(), errors));
    }

    private Thread read(InputStream stream, List<String> lines) {
        return DaemonThreads.start("output of " + name, () -> {
            try (BufferedReader text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = text.readLine(); line != null; line = text.readLine()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                lines.add("output cannot be read: " + e); // shows up in what the test compares
            }
        });
    }

    // ---- what it says

    /** All lines it printed so far. */
    public List<String> said() {
        return List.copyOf(said);
    }

    /** The same as one text. */
    public String output() {
        return String.join("\n", said);
    }

    /** What it printed as errors so far, unless that is merged with the rest. */
    public String errors() {
        return String.join("\n", errors);
    }

    /** Whether a line with this text was printed. */
    public boolean hasSaid(String text) {
        return find(text).isPresent();
    }

    private Optional<String> find(String text) {
        return said.stream().filter(line -> line.contains(text)).findFirst();
    }

    /** Waits until it has printed a line with this text: that line. */
    public String awaitLine(String text) {
        until("'" + text + "' is printed", () -> hasSaid(text));
        return find(text).orElseThrow();
    }

    /** The next line nobody has asked for; waits for it. */
    public String next() {
        until("another line is printed", () -> said.size() > heard);
        return said.get(heard++);
    }

    /** Waits for its end: the lines nobody has asked for. */
    public List<String> rest() {
        exit();
        return said.subList(heard, said.size());
    }

    /** Waits until the condition holds; fails also when the process has ended without. */
    public void until(String what, BooleanSupplier condition) {
        Await.until(
                what + " by " + name,
                LIMIT,
                () -> {
                    boolean ended = readers.stream().noneMatch(Thread::isAlive) && !process.isAlive();
                    if (condition.getAsBoolean()) {
                        return true;
                    }
                    if (ended) {
                        throw new AssertionError("ended before " + what + ": " + this);
                    }
                    return false;
                },
                () -> ": " + withThreads());
    }

    /** All it printed, ending with what its threads are at. */
    private String withThreads() {
        signal("QUIT");
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_WORDS_MILLIS);
        while (!hasSaid(LAST_OF_THREADS) && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        return toString();
    }

    // ---- what it is told

    /** Gives it a line of input. */
    public void tell(String line) {
        write(line + "\n");
    }

    /** Gives it this input, and the end of it. */
    public JavaProcess type(String text) {
        write(text);
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private void write(String text) {
        try {
            OutputStream input = process.getOutputStream();
            input.write(text.getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(toString(), e);
        }
    }

    /** Gives it a line and waits for the next one it prints, which must start so: what follows there. */
    public String ask(String line, String answer) {
        int before = said.size();
        tell(line);
        until("'" + line + "' is answered", () -> said.size() > before);
        String told = said.get(before);
        if (!told.startsWith(answer)) {
            throw new AssertionError("asked for '" + line + "' it answered '" + told + "', not '" + answer + "'");
        }
        return told.substring(answer.length()).trim();
    }

    // ---- its life

    /** Its number among all processes. */
    public long pid() {
        return process.pid();
    }

    /** The owner its locks name unless it is told another: its host, its number, when it was started. */
    public String owner() {
        return host + "-" + pid() + "-" + started.orElseThrow().getEpochSecond();
    }

    public boolean runs() {
        return process.isAlive();
    }

    /** Waits for its end: the exit code. */
    public int exit() {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("does not end: " + this);
            }
            for (Thread reader : readers) {
                reader.join(LAST_WORDS_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for " + this, e);
        }
        return process.exitValue();
    }

    /** {@code TERM} as an orchestrator asks to end, {@code STOP} and {@code CONT} as a long pause, {@code KILL} as a crash. */
    public void signal(String signal) {
        try {
            int result = new ProcessBuilder("kill", "-s", signal, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (result != 0) {
                throw new AssertionError("kill -s " + signal + " failed for " + this);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("kill -s " + signal + " failed for " + this, e);
        }
    }

    /** Ends it as a power cut would; what it said before is still heard. */
    public void kill() {
        process.toHandle().destroyForcibly(); // by its handle: the process object would close the output too
        exit();
    }

    /** Ends it and all it started. */
    @Override
    public void close() {
        List<ProcessHandle> below = process.descendants().toList();
        process.toHandle().destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }

    @Override
    public String toString() {
        return name + (runs() ? " (runs)" : " (ended " + process.exitValue() + ")") + "\n" + output() + "\n" + errors();
    }
}
