package dev.holdfast.documents.file;

import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one at a time write to a directory: threads by a lock of Java, processes by the operating system's lock on a file. */
final class WriteLock {
    private static final String NAME = ".holdfast.lock";
    /** A large write of somebody else takes its time. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long LOOK_EVERY_MILLIS = 5;

    /**
     * The directories this process has open. A static that remembers, because the operating system does: a file lock belongs to
     * the process, and closing any channel on the file would drop it for all stores of the process.
     */
    private static final Map<Path, WriteLock> OPEN = new HashMap<>();

    private final Path directory;
    private final FileChannel channel;
    private final ReentrantLock threads = new ReentrantLock(true);
    private int users;

    private WriteLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** The lock of this directory, by its real path; each user closes it once. */
    static WriteLock of(Path directory) throws IOException {
        synchronized (OPEN) {
            WriteLock lock = OPEN.get(directory);
            if (lock == null) {
                lock = new WriteLock(
                        directory,
                        PrivateFiles.open(
                                directory.resolve(NAME),
                                Set.of(
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.WRITE,
                                        LinkOption.NOFOLLOW_LINKS)));
                OPEN.put(directory, lock);
            }
            lock.users++;
            return lock;
        }
    }

    /** What is done alone. */
    interface Work<T> {
        T run() throws IOException;
    }

    <T> T alone(Work<T> work) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            if (!threads.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        }
        try {
            FileLock held = locked(end);
            try {
                return work.run();
            } finally {
                held.release();
            }
        } finally {
            threads.unlock();
        }
    }

    /** By asking again and again: a channel that is waited on is closed when its thread is interrupted. */
    private FileLock locked(long end) throws IOException {
        while (true) {
            Optional<FileLock> lock = tried();
            if (lock.isPresent()) {
                return lock.get();
            }
            if (System.nanoTime() - end > 0) {
                throw busy();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(e);
            }
        }
    }

    private Optional<FileLock> tried() throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty(); // another copy of this class in the process has it
        }
    }

    private StoreUnavailableException busy() {
        return new StoreUnavailableException(
                "Somebody else has been writing documents in '" + directory + "' for " + PATIENCE.toSeconds()
                        + " s; find out who with: fuser -v " + directory.resolve(NAME),
                null);
    }

    private StoreUnavailableException interrupted(InterruptedException e) {
        return new StoreUnavailableException(
                "Interrupted while waiting to write to '" + directory + "'; nothing was changed", e);
    }

    void close() throws IOException {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(directory);
                channel.close();
            }
        }
    }
}
