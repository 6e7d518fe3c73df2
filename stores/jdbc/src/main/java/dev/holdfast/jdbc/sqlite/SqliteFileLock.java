package dev.holdfast.jdbc.sqlite;

import dev.holdfast.model.EngineId;
import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may open a database file: one process exclusively, or any number shared. The operating system's lock on
 * {@code <file>.lock} decides, so nothing is left behind by a process that dies; {@code <file>.owner} only tells people
 * who the exclusive one is.
 */
final class SqliteFileLock implements Watchable {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteFileLock.class);
    private static final long LOOK_EVERY_MILLIS = 20;
    private static final int MAX_OWNER = 500;

    /**
     * The files this process has open. A static that remembers, because the operating system does: a lock belongs to the
     * process, and closing any channel on the file would drop it for all stores of the process.
     */
    private static final Map<Path, SqliteFileLock> OPEN = new HashMap<>();

    private final Path database;
    private final boolean exclusive;
    private final FileChannel channel;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private int users = 1;

    private SqliteFileLock(Path database, boolean exclusive, FileChannel channel) {
        this.database = database;
        this.exclusive = exclusive;
        this.channel = channel;
    }

    /**
     * Takes the lock. Who wants it exclusively waits a little for others to close; who would share it with an exclusive
     * owner is refused at once.
     *
     * @throws StoreUnusableException naming who has it
     */
    static SqliteFileLock take(Path database, SqliteSettings config) {
        long end = System.nanoTime() + config.busyTimeout().toNanos();
        try {
            Optional<SqliteFileLock> taken = tryTake(database, config);
            while (taken.isEmpty() && config.exclusive() && System.nanoTime() - end < 0) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
                taken = tryTake(database, config);
            }
            return taken.orElseThrow(() -> refused(database, config.exclusive()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(database, config.exclusive());
        } catch (IOException e) {
            throw new StoreUnusableException(
                    "The lock file '" + beside(database, ".lock") + "' cannot be used: " + e
                            + "; give this process write access to its directory, and keep it off network drives",
                    e);
        }
    }

    private static Optional<SqliteFileLock> tryTake(Path database, SqliteSettings config) throws IOException {
        synchronized (OPEN) {
            SqliteFileLock here = OPEN.get(database);
            if (here != null) {
                boolean share = !here.exclusive && !config.exclusive();
                here.users += share ? 1 : 0;
                return share ? Optional.of(here) : Optional.empty();
            }
            Optional<FileChannel> channel = locked(database, config.exclusive());
            channel.ifPresent(open -> OPEN.put(database, new SqliteFileLock(database, config.exclusive(), open)));
            if (channel.isPresent() && config.exclusive()) {
                leaveName(database, config);
            }
            return Optional.ofNullable(OPEN.get(database));
        }
    }

    private static Optional<FileChannel> locked(Path database, boolean exclusive) throws IOException {
        FileChannel channel = PrivateFiles.open(
                beside(database, ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, !exclusive);
            if (lock != null) {
                return Optional.of(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Another copy of this class in the process has it. The channel stays open: closing it would free the lock.
            return Optional.empty();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        return Optional.empty();
    }

    /** Gives it back; the last user of the process unlocks the file. */
    void release() {
        synchronized (OPEN) {
            users--;
            if (users > 0 || !OPEN.remove(database, this)) {
                return;
            }
            try {
                if (exclusive) {
                    Files.deleteIfExists(beside(database, ".owner"));
                }
                channel.close();
            } catch (IOException e) {
                LOG.warn("Unlocking '{}' failed; it is unlocked when this process ends: {}", database, e.toString());
            }
        }
    }

    // ---- hints within this process; those to others would need a look at the file as often as the engine looks anyway

    @Override
    public Watch watch(EngineId engine, Consumer<Hint> heard) {
        Listener listener = new Listener(engine, heard);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void tell(Write made) {
        listeners.forEach(listener -> listener.tell(made));
    }

    // ---- telling who has it

    /** Only for the messages of others: without it they read "another process". */
    private static void leaveName(Path database, SqliteSettings config) {
        try {
            PrivateFiles.createFile(beside(database, ".owner"));
            Files.writeString(beside(database, ".owner"), owner(config));
        } catch (IOException e) {
            LOG.warn("'{}' cannot tell others who uses it: {}", beside(database, ".owner"), e.toString());
        }
    }

    private static String owner(SqliteSettings config) {
        ProcessHandle process = ProcessHandle.current();
        return (config.label().isEmpty() ? "a Holdfast server" : "'" + config.label() + "'") + " (pid " + process.pid()
                + " on " + host() + ", since " + config.time().wall().truncatedTo(ChronoUnit.SECONDS) + ")\n";
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "this machine";
        }
    }

    private static StoreUnusableException refused(Path database, boolean exclusive) {
        return new StoreUnusableException(
                exclusive && isShared(database)
                        ? "'" + database + "' cannot be opened for this process alone: others have it open too; close"
                                + " them (find them with: fuser -v " + database + ")"
                        : "'" + database + "' is in use by " + ownerOf(database)
                                + ", which alone may write it; go through that server (http://…), or stop it first",
                null);
    }

    /** Whether those who have it share it. */
    private static boolean isShared(Path database) {
        synchronized (OPEN) {
            SqliteFileLock here = OPEN.get(database);
            if (here != null) {
                return !here.exclusive;
            }
            try {
                Optional<FileChannel> probe = locked(database, false);
                if (probe.isPresent()) {
                    probe.get().close();
                }
                return probe.isPresent();
            } catch (IOException e) {
                return false;
            }
        }
    }

    private static String ownerOf(Path database) {
        try {
            String text = Files.readString(beside(database, ".owner")).strip().replaceAll("\\p{Cntrl}", "?");
            return text.isEmpty() ? "another process" : text.substring(0, Math.min(text.length(), MAX_OWNER));
        } catch (IOException e) {
            return "another process";
        }
    }

    private static Path beside(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }
}
