package dev.holdfast.server.health;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.health.HealthPart.Name;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Whether the store reads and writes, and how exactly its time is known. A store that reads and cannot write is not ready. That is seen
 * by the writes of everybody; while they fail, or when nobody has written for a while, the check writes something itself: a record that
 * is no lock's, with no event and no token. Safe for any thread.
 */
final class StoreCheck {
    private static final RecordKey PROBE = new RecordKey("holdfast", "health");
    private static final long PATIENCE_MILLIS = 2_000;
    /** Less, so that a store that only does not write is told apart from one that does not answer. */
    private static final long WRITE_MILLIS = 1_500;

    private final LockEngine engine;
    private final HealthBounds bounds;
    private final long idleNanos;
    private final int trialBytes;
    private final LongSupplier nanos;
    private final RecordKey own;
    private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null); // guarded by this, as the rest
    private long lastMade;
    private long lastWrite;

    StoreCheck(LockEngine engine, String node, HealthBounds bounds, WriteTrials trials, LongSupplier nanos) {
        this.trialBytes = trials.bytes();
        this.engine = engine;
        this.bounds = bounds;
        this.idleNanos = trials.rest().toNanos();
        this.nanos = nanos;
        this.lastWrite = nanos.getAsLong() - idleNanos; // nothing is known yet: the first look tries
        this.own = new RecordKey("holdfast", "health/" + node);
    }

    /**
     * @param parts the store, its writes and its clock
     * @param storeMillis how long it took to answer; empty if it did not
     * @param clockErrorMillis how exactly its time is known; empty if it is not
     */
    record StoreReading(List<HealthPart> parts, Optional<Double> storeMillis, Optional<Double> clockErrorMillis) {}

    CompletableFuture<StoreReading> look() {
        long start = nanos.getAsLong();
        CompletableFuture<Boolean> written = tryIfIdle(start);
        return written.thenCombine(engine.read(PROBE), (answered, record) -> answered)
                .thenCombine(engine.now(), (answered, time) -> {
                    Duration error = Duration.between(time.earliest(), time.latest());
                    double millis = millis(nanos.getAsLong() - start);
                    return new StoreReading(
                            List.of(
                                    HealthPart.up(Name.STORE, "It answers in " + millis + " ms."),
                                    writes(answered),
                                    clock(error)),
                            Optional.of(millis),
                            Optional.of(millis(error.toNanos())));
                })
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> away(words(failure)));
    }

    /** Sees whether something was written since the last time; to be called often, so that it knows when. */
    synchronized void notice() {
        long made = engine.writesMade();
        if (made != lastMade) {
            lastMade = made;
            lastWrite = nanos.getAsLong();
        }
    }

    /** What everybody's last write said may be long ago: then, and while writes fail, our own decides. Whether it was answered. */
    private synchronized CompletableFuture<Boolean> tryIfIdle(long now) {
        notice();
        if (engine.writeFailure().isEmpty() && now - lastWrite < idleNanos) {
            return CompletableFuture.completedFuture(true);
        }
        if (writing.isDone()) {
            writing = engine.tryWrite(own, trialBytes);
        }
        return writing.thenApply(done -> true).completeOnTimeout(false, WRITE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private HealthPart writes(boolean answered) {
        if (!answered) {
            return HealthPart.down(
                    Name.WRITES,
                    "the store answers, but accepts no writes: one was not answered within " + WRITE_MILLIS + " ms");
        }
        return engine.writeFailure()
                .map(failure -> HealthPart.down(
                        Name.WRITES, "the store answers, but accepts no writes: " + failure.getMessage()))
                .orElseGet(() -> HealthPart.up(Name.WRITES, "The last write was made."));
    }

    private HealthPart clock(Duration error) {
        String known = "known within " + millis(error.toNanos()) + " ms";
        return error.compareTo(bounds.maxClockError()) <= 0
                ? HealthPart.up(Name.CLOCK, "The time of the store is " + known + ".")
                : HealthPart.down(
                        Name.CLOCK,
                        "the time of the store is only " + known + ", and must be within "
                                + bounds.maxClockError().toMillis()
                                + " ms (server.health.max-clock-error): leases that ended are noticed that much later");
    }

    private StoreReading away(String why) {
        return new StoreReading(
                List.of(
                        HealthPart.down(Name.STORE, why),
                        HealthPart.down(Name.WRITES, "the store does not answer"),
                        HealthPart.warn(Name.CLOCK, "Its time cannot be asked.")),
                Optional.empty(),
                Optional.empty());
    }

    /** Three digits are enough for a probe. */
    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }

    private static String words(Throwable failure) {
        Throwable cause = Causes.of(failure);
        return cause instanceof TimeoutException
                ? "the store did not answer within " + PATIENCE_MILLIS + " ms"
                : String.valueOf(cause.getMessage());
    }
}
