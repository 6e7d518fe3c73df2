package dev.holdfast.bench.peers.worker;

import dev.holdfast.internal.parts.DaemonThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A file that records are appended to, with one thread that writes what has gathered and forces it to the disk: what a disk can do for many
 * callers at once. It keeps no locks and no index.
 */
final class BareLog implements AutoCloseable {
    /** As long as the record of a lock with its event. */
    static final int RECORD_BYTES = 700;

    private static final int MOST_AT_ONCE = 1024;

    private final FileChannel file;
    private final Thread writer;
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private boolean closed;

    BareLog(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        writer = DaemonThreads.start("log writer", this::write);
    }

    /** One writer alone: a record, then the disk. */
    static void append(FileChannel file, ByteBuffer record) throws IOException {
        record.rewind();
        file.write(record);
        file.force(false);
    }

    /** Returns when a record is on the disk. */
    void append() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(done);
            notifyAll();
        }
        done.join();
    }

    private void write() {
        ByteBuffer records = ByteBuffer.allocate(RECORD_BYTES * MOST_AT_ONCE);
        try {
            for (List<CompletableFuture<Void>> batch = next(); !batch.isEmpty(); batch = next()) {
                records.clear().limit(RECORD_BYTES * Math.min(batch.size(), MOST_AT_ONCE));
                while (records.hasRemaining()) {
                    file.write(records);
                }
                file.force(false);
                batch.forEach(done -> done.complete(null));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<CompletableFuture<Void>> next() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        List<CompletableFuture<Void>> batch = waiting;
        waiting = new ArrayList<>();
        return batch;
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        file.close();
    }
}
