package dev.holdfast.server.observe.load;

import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.model.Cause;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.observe.logs.LineLimit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands, listings, and reads and writes of documents that took long: each is a line in the log, as far as {@link LineLimit} allows, and the newest {@value #KEPT} are
 * kept for whoever asks. Safe for any thread.
 */
public final class SlowOperations implements EngineMeter {
    private static final Logger LOG = LoggerFactory.getLogger(SlowOperations.class);
    static final int KEPT = 200;

    private final long slowNanos;
    private final Clock clock;
    private final LineLimit limit;
    private final Deque<Slow> newest = new ArrayDeque<>();

    /**
     * One that was slow.
     *
     * @param at when it was answered
     * @param key its lock; empty for a listing or a document
     * @param document its document, the first of several, or how those begin that were listed; empty for a lock
     * @param cause who asked, in which request; empty texts if nobody did
     * @param inStore how much of that the store had it
     */
    public record Slow(
            Instant at,
            Optional<RecordKey> key,
            Optional<String> document,
            String operation,
            Cause cause,
            Duration took,
            Duration inStore,
            boolean failed) {
        /** What it waited for other commands, threads and pauses. */
        public Duration queued() {
            return took.minus(inStore);
        }
    }

    /** @param after from how long on something is slow; zero for never */
    public SlowOperations(Duration after, Clock clock, LineLimit limit) {
        this.slowNanos = after.isZero() ? Long.MAX_VALUE : after.toNanos();
        this.clock = clock;
        this.limit = limit;
    }

    @Override
    public long slowNanos() {
        return slowNanos;
    }

    @Override
    public void slow(SlowCommand command) {
        keep(new Slow(
                clock.instant(),
                Optional.of(command.key()),
                Optional.empty(),
                command.operation(),
                command.cause(),
                command.took(),
                command.inStore(),
                command.failed()));
    }

    /** Writes and reads of records are told with their command; a listing belongs to no lock. */
    @Override
    public void stored(Operation operation, int rows, Duration took, boolean failed) {
        if (took.toNanos() >= slowNanos && (operation == Operation.SCAN || operation == Operation.EVENTS)) {
            String name = operation.name().toLowerCase(Locale.ROOT);
            keep(new Slow(clock.instant(), Optional.empty(), Optional.empty(), name, Cause.OWNER, took, took, failed));
        }
    }

    /** A request about documents ended, on the thread that works for whoever asked. */
    void document(String operation, String name, Duration took, boolean failed) {
        if (took.toNanos() >= slowNanos) {
            Cause cause = CurrentRequest.cause();
            keep(new Slow(clock.instant(), Optional.empty(), Optional.of(name), operation, cause, took, took, failed));
        }
    }

    private void keep(Slow slow) {
        synchronized (newest) {
            if (newest.size() == KEPT) {
                newest.removeFirst();
            }
            newest.addLast(slow);
        }
        if (limit.admits("slow operations: " + slow.operation())) {
            LOG.atWarn()
                    .addKeyValue("operation", slow.operation())
                    .addKeyValue("lock", slow.key().map(RecordKey::toString).orElse("none"))
                    .addKeyValue("document", slow.document().orElse("none"))
                    .addKeyValue("request_id", slow.cause().request())
                    .addKeyValue("took_ms", slow.took().toMillis())
                    .addKeyValue("store_ms", slow.inStore().toMillis())
                    .addKeyValue("queue_ms", slow.queued().toMillis())
                    .addKeyValue("failed", slow.failed())
                    .log("Slow operation (logging.slow-threshold)");
        }
    }

    /** The newest, oldest of them first. */
    public List<Slow> newest() {
        synchronized (newest) {
            return new ArrayList<>(newest);
        }
    }
}
