package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Another process on the same file. Its {@code main} says on each line of its output what it has done. */
public final class Other implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Other(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts it; {@code what} is {@code shared} or {@code exclusive} to hold the file open, or {@code write} to write on and
     * on until that fails.
     */
    public static Other start(Path file, String what) throws IOException {
        return start(file, what, "unlimited");
    }

    /** The same, in a process whose files cannot grow beyond this many blocks of 1024 bytes. */
    public static Other start(Path file, String what, String blocks) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String command = "ulimit -f " + blocks + " && exec \"$0\" \"$@\"";
        return new Other(new ProcessBuilder(
                        "bash",
                        "-c",
                        command,
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes,
                        Other.class.getName(),
                        file.toString(),
                        what)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line of its output; fails when there is none. */
    public String says() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new AssertionError("the other process ended");
        }
        return line;
    }

    /** What it has said so far and not been asked for. To be called after its end. */
    public List<String> rest() {
        return output.lines().toList();
    }

    public long pid() {
        return process.pid();
    }

    /** Ends it as a power cut would. */
    public void kill() {
        process.toHandle().destroyForcibly(); // by its handle: the process object would close the output too
        process.onExit().join();
    }

    /** Lets it close the file and end. */
    public void end() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    /** What the other process does, at most until its parent ends. */
    public static void main(String[] args) {
        Path file = Path.of(args[0]);
        SqliteConfig config =
                args[1].equals("exclusive") ? SqliteConfig.exclusive("the other server") : SqliteConfig.shared();
        try (RecordStore store = SqliteStore.open(file, config)) {
            System.out.println("open");
            if (args[1].equals("write")) {
                writeOnAndOn(store);
            }
            awaitEnd();
        } catch (StoreException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    private static void writeOnAndOn(RecordStore store) {
        Thread end = new Thread(() -> {
            awaitEnd();
            Runtime.getRuntime().halt(0);
        });
        end.setDaemon(true);
        end.start();
        for (int i = 0; ; i++) {
            String name = ProcessHandle.current().pid() + "-" + i;
            Locks.put(store, Locks.held(Locks.key(name)));
            System.out.println(name);
        }
    }

    /** Until the other end of our input is closed. */
    private static void awaitEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
