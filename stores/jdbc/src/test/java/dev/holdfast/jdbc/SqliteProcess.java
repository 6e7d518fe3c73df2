package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** Another process on the same file, which says on each line of its output what it has done. */
public final class SqliteProcess {
    /** SQLite is not fair: beside several who write all the time, one may wait for long. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private SqliteProcess() {}

    /**
     * Starts it; {@code what} is {@code shared} or {@code exclusive} to hold the file open, or {@code write} to write on and
     * on until that fails.
     */
    public static JavaProcess start(Path file, String what) {
        return start(file, what, "unlimited");
    }

    /** The same, in a process whose files cannot grow beyond this many blocks of 1024 bytes. */
    public static JavaProcess start(Path file, String what, String blocks) {
        return JavaProgram.of(SqliteProcess.class)
                .under("bash", "-c", "ulimit -f " + blocks + " && exec \"$0\" \"$@\"")
                .heap("128m")
                .start(file.toString(), what);
    }

    /** What the other process does, at most until its parent ends. */
    public static void main(String[] args) {
        Path file = Path.of(args[0]);
        SqliteConfig config =
                args[1].equals("exclusive") ? SqliteConfig.exclusive("the other server") : SqliteConfig.shared();
        if (args[1].equals("write")) {
            config = config.withBusyTimeout(PATIENCE);
        }
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
