package dev.holdfast.cli;

import dev.holdfast.cli.text.NextSteps;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Gives commands as a user would, here or in a process of their own, and keeps what they print. */
public final class Shell {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final String store;

    /** All commands work on this store, or ask this server. */
    public Shell(String store) {
        this.store = store;
    }

    public static Shell on(Path directory) {
        return new Shell("sqlite:" + directory.resolve("locks.db"));
    }

    public String store() {
        return store;
    }

    /**
     * What came of a command.
     *
     * @param code its exit code
     * @param out standard output
     * @param err standard error
     */
    public record Result(int code, String out, String err) {
        /** The text after this label or field, up to the next blank, quote or comma. */
        public String after(String label) {
            int start = out.indexOf(label);
            if (start < 0) {
                throw new AssertionError("no '" + label + "' in " + this);
            }
            return out.substring(start + label.length()).strip().replaceFirst("(?s)^[\":]*([^\\s\",}]*).*", "$1");
        }
    }

    /** In this process. Commands that look for a terminal need one of their own. */
    public Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = withStore(args).toArray(String[]::new);
        CommandLine command =
                Main.commandLine(all).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = command.execute(all);
        return new Result(code, out.toString(), err.toString());
    }

    /** In this process, with this as its standard input, which is no terminal. There is only one input: one at a time. */
    public Result runWith(String input, String... args) {
        synchronized (Shell.class) {
            InputStream before = System.in;
            System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            try {
                return run(args);
            } finally {
                System.setIn(before);
            }
        }
    }

    /** In this process, with what it prints as bytes. There is only one standard output: one at a time. */
    public Result printed(String... args) {
        synchronized (Shell.class) {
            PrintStream before = System.out;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            try {
                Result result = run(args);
                return new Result(result.code(), result.out() + bytes.toString(StandardCharsets.UTF_8), result.err());
            } finally {
                System.setOut(before);
            }
        }
    }

    /** The same for a command that names no place itself. */
    public static Result printedBare(String... args) {
        synchronized (Shell.class) {
            PrintStream before = System.out;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            try {
                StringWriter out = new StringWriter();
                StringWriter err = new StringWriter();
                int code = Main.commandLine(args)
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(args);
                return new Result(code, out + bytes.toString(StandardCharsets.UTF_8), err.toString());
            } finally {
                System.setOut(before);
            }
        }
    }

    /** In a process of its own, with this as its standard input, and no terminal. */
    public Result process(String input, Map<String, String> environment, String... args) {
        Running running = new Running(environment, java(withStore(args)));
        running.type(input);
        running.endOfInput();
        return running.result();
    }

    /** The same for a command that names no place itself. */
    public static Result bare(String input, Map<String, String> environment, String... args) {
        Running running = new Running(environment, java(List.of(args)));
        running.type(input);
        running.endOfInput();
        return running.result();
    }

    /** On a terminal of its own, where this is typed; errors and output come together. */
    public Result terminal(String typed, String... args) {
        return terminal(() -> typed, "", args);
    }

    /** The same, typed only after something was asked; meanwhile other things may happen. */
    public Result terminal(Supplier<String> typed, String question, String... args) {
        StringBuilder line = new StringBuilder();
        for (String word : java(withStore(args))) {
            line.append(NextSteps.quoted(word)).append(' ');
        }
        Map<String, String> environment = Map.of("TERM", "xterm", "COLUMNS", "80");
        Running script = new Running(environment, List.of("script", "-qec", line.toString(), "/dev/null"));
        script.waitFor(question);
        script.type(typed.get()); // and its input stays open: 'script' ends its child when that ends
        return script.result();
    }

    public static boolean hasTerminals() {
        return Files.isExecutable(Path.of("/usr/bin/script")) && Files.isDirectory(Path.of("/proc/self/fd"));
    }

    private List<String> withStore(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.add(store.startsWith("http") ? "--server" : "--store");
        all.add(store);
        return all;
    }

    private static List<String> java(List<String> args) {
        List<String> command = ProgramClasses.words();
        command.addAll(args);
        return command;
    }

    private static final class Running {
        private final Process process;
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final List<Thread> readers;

        Running(Map<String, String> environment, List<String> command) {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.equals("NO_COLOR"));
            builder.environment().putAll(environment);
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            readers = List.of(reader(process.getInputStream(), out), reader(process.getErrorStream(), err));
        }

        private static Thread reader(InputStream stream, StringWriter into) {
            Thread reader = new Thread(() -> {
                try (Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
                    for (int c = text.read(); c >= 0; c = text.read()) {
                        into.write(c);
                    }
                } catch (IOException e) {
                    into.append("cannot be read: " + e); // shows up in what the test compares
                }
            });
            reader.setDaemon(true);
            reader.start();
            return reader;
        }

        void waitFor(String question) {
            long end = System.nanoTime() + LIMIT.toNanos();
            while (!out.toString().contains(question)) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    process.destroyForcibly();
                    throw new AssertionError("it does not ask '" + question + "': " + out + err);
                }
                LockSupport.parkNanos(10_000_000);
            }
        }

        void type(String text) {
            try {
                process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                err.append("ended before it was answered: " + e);
            }
        }

        void endOfInput() {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                err.append("ended before its input: " + e);
            }
        }

        Result result() {
            try {
                if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("does not end: " + out + err);
                }
                for (Thread reader : readers) {
                    reader.join(LIMIT.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
            return new Result(process.exitValue(), out.toString(), err.toString());
        }
    }
}
