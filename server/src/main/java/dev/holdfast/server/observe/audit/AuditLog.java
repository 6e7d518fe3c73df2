package dev.holdfast.server.observe.audit;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes every event it is given to the audit file and logger, in the order given, one JSON object per line.
 *
 * <p>Never blocks the caller: lines wait in a bounded queue for a thread of their own. While the file cannot be written they
 * wait there, and are written when it can; those that find the queue full are lost, counted, and said to be lost. A line that must be
 * written before something is done ({@link #writeFirst}) does not wait: it is written now, or its caller hears that it cannot be.
 */
public final class AuditLog implements AutoCloseable {
    public static final String LOGGER = "holdfast.audit";

    private static final Logger AUDIT = LoggerFactory.getLogger(LOGGER);
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

    private static final int BATCH = 500;

    private static final Duration RETRY = Duration.ofSeconds(1);
    /** A file that stays away must not fill the log. */
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);
    /** How long close waits for what is still queued. */
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final AuditConfig config;
    private final @Nullable RollingFile file;
    private final BlockingQueue<Line> queue;
    private final AtomicLong lost = new AtomicLong();
    private final Thread thread = DaemonThreads.make("holdfast-audit", this::run);
    private volatile boolean closing;
    private volatile boolean failing;
    private long lostSaid;
    private long saidAt = System.nanoTime() - SAY_EVERY.toNanos();

    /** @param written told when it is, or that it cannot be; null if nobody waits for that */
    private record Line(String text, @Nullable CompletableFuture<Void> written) {
        void done() {
            if (written != null) {
                written.complete(null);
            }
        }

        /** Whether somebody waited, who now hears that it was not written: then it is not written later either. */
        boolean giveUp(IOException why) {
            if (written != null) {
                written.completeExceptionally(why);
            }
            return written != null;
        }
    }

    private AuditLog(AuditConfig config, @Nullable RollingFile file) {
        this.config = config;
        this.file = file;
        this.queue = new ArrayBlockingQueue<>(config.queue());
    }

    /**
     * Opens the file and starts writing.
     *
     * @throws IOException if the file cannot be opened: a server asked for an audit trail must not run without
     */
    public static AuditLog open(AuditConfig config) throws IOException {
        RollingFile file = null;
        if (config.file().isPresent()) {
            file = new RollingFile(
                    config.file().get(), new RollingFile.RollingLimits(config.maxBytes(), config.files()));
            file.open();
        }
        AuditLog log = new AuditLog(config, file);
        log.thread.start();
        return log;
    }

    public void accept(StoredEvent event, Optional<AuditedCaller> caller) {
        if (isWritten()) {
            add(new Line(AuditJson.line(event, caller), null));
        }
    }

    void accept(AuditEntry entry, Instant at) {
        if (isWritten()) {
            add(new Line(AuditJson.line(entry, at), null));
        }
    }

    /** Writes this now: completes when the file has it, and fails if it could not be written. */
    CompletableFuture<Void> writeFirst(AuditEntry entry, Instant at) {
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (closing || !queue.offer(new Line(AuditJson.line(entry, at), written))) {
            written.completeExceptionally(new IOException("the queue of the audit log is full, or it is closed"));
        }
        return written;
    }

    boolean isRequired() {
        return config.required();
    }

    public long lost() {
        return lost.get();
    }

    /** Writes what waits, for at most five seconds, and closes the file. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    boolean isFailing() {
        return failing;
    }

    private boolean isWritten() {
        return file != null || config.log();
    }

    private void add(Line line) {
        if (closing || !queue.offer(line)) {
            lost.incrementAndGet();
        }
    }

    // ---- on the thread of its own

    private void run() {
        List<Line> batch = new ArrayList<>(BATCH);
        try {
            while (next(batch)) {
                if (config.log()) {
                    batch.forEach(line -> AUDIT.info(line.text()));
                }
                if (file != null) {
                    write(file, batch);
                }
                batch.forEach(Line::done);
                batch.clear();
                sayLost();
            }
        } catch (InterruptedException e) {
            lost.addAndGet(batch.size() + queue.size());
            IOException ended = new IOException("the audit log was closed");
            batch.forEach(line -> line.giveUp(ended));
            queue.forEach(line -> line.giveUp(ended));
        } finally {
            sayLost();
            end();
        }
    }

    /** Waits for lines; false when it is closed and nothing is left. */
    private boolean next(List<Line> batch) throws InterruptedException {
        while (true) {
            Line first = queue.poll(100, TimeUnit.MILLISECONDS);
            if (first != null) {
                batch.add(first);
                queue.drainTo(batch, BATCH - 1);
                return true;
            }
            if (closing) {
                return false;
            }
            sayLost();
        }
    }

    /** A batch of which a part was written is written again as a whole: a line may come twice, but none is missing. */
    private void write(RollingFile to, List<Line> batch) throws InterruptedException {
        while (!batch.isEmpty()) {
            try {
                to.append(bytes(batch));
                if (failing) {
                    failing = false;
                    LOG.info("The audit file '{}' is written again", path());
                }
                return;
            } catch (IOException e) {
                batch.removeIf(line -> line.giveUp(e));
                queue.removeIf(line -> line.giveUp(e));
                if (!failing) {
                    failing = true;
                    LOG.error(
                            "The audit file '{}' cannot be written, trying again every second; up to {} events wait: {}",
                            path(),
                            config.queue(),
                            e.toString());
                }
            }
            sayLost();
            if (!batch.isEmpty()) {
                Thread.sleep(RETRY.toMillis());
            }
        }
    }

    private static byte[] bytes(List<Line> batch) {
        StringBuilder all = new StringBuilder();
        batch.forEach(line -> all.append(line.text()).append('\n'));
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void sayLost() {
        long now = lost.get();
        boolean due = closing || System.nanoTime() - saidAt >= SAY_EVERY.toNanos();
        if (now > lostSaid && due) {
            LOG.error(
                    "{} audit events could not be written (queue of {} full, or closed) and are missing in '{}'; "
                            + "they are in the history, if the store keeps one",
                    now - lostSaid,
                    config.queue(),
                    path());
            lostSaid = now;
            saidAt = System.nanoTime();
        }
    }

    private Object path() {
        return config.file().isPresent() ? config.file().get() : LOGGER;
    }

    private void end() {
        if (file == null) {
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("The audit file '{}' could not be closed: {}", path(), e.toString());
        }
    }
}
