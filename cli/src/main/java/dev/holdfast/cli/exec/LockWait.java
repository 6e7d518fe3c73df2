package dev.holdfast.cli.exec;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Waits for a lock as long as it is wanted, and says what it waits for. A signal ends it. */
public final class LockWait {
    /** The longest a single request may wait; after it the lock is asked for again. */
    private static final Duration ONE_REQUEST = Duration.ofDays(7);

    /** By then our place in the queue is written, and a short wait needs no words. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(300);

    /** How long to wait before asking again for a lock that too many wait for. */
    private static final Duration FULL_PAUSE = Duration.ofSeconds(1);

    /**
     * What is waited for.
     *
     * @param patience how long: zero for not at all, empty for as long as it takes
     * @param ask asks for it, waiting this long
     */
    public record WantedLock(
            LockKey key,
            String owner,
            Optional<Duration> patience,
            boolean quiet,
            BiConsumer<AcquireOptions, Duration> ask) {}

    private final LockClient client;
    private final WantedLock wanted;
    /** Told what to do when a signal comes. */
    private final Consumer<Runnable> signals;

    private final PrintWriter err;
    private final long start = System.nanoTime();
    private CompletableFuture<Void> looking = CompletableFuture.completedFuture(null);

    public LockWait(LockClient client, WantedLock wanted, Consumer<Runnable> signals, PrintWriter err) {
        this.client = client;
        this.wanted = wanted;
        this.signals = signals;
        this.err = err;
    }

    /** The lease, or who has the lock instead; empty if a signal came first, and then no place in the queue is left. */
    public Optional<Attempt<Lease>> get() throws InterruptedException {
        // The usual case, that it is free, needs no look and no line.
        Optional<Attempt<Lease>> attempt = ask(Duration.ZERO, Optional.empty());
        if (!isBusy(attempt) || left().isZero()) {
            return attempt;
        }
        if (wanted.quiet()) {
            return keepAsking(attempt, Optional.empty());
        }
        WaitingLine line = WaitingLine.on(err, wanted.key(), wanted.owner());
        try {
            return keepAsking(attempt, Optional.of(line));
        } finally {
            line.end();
        }
    }

    private Optional<Attempt<Lease>> keepAsking(Optional<Attempt<Lease>> first, Optional<WaitingLine> line)
            throws InterruptedException {
        Optional<Attempt<Lease>> attempt = first;
        while (isBusy(attempt) && !left().isZero()) {
            attempt = ask(left(), line);
            // Busy before the time was up: too many wait already, and a moment later one place may be free.
            if (attempt.isPresent() && attempt.get() instanceof Attempt.Busy<Lease> && !left().isZero()) {
                pause();
            }
        }
        return attempt;
    }

    private void pause() throws InterruptedException {
        CompletableFuture<Void> signal = new CompletableFuture<>();
        signals.accept(() -> signal.complete(null));
        Duration pause = left().compareTo(FULL_PAUSE) < 0 ? left() : FULL_PAUSE;
        var unused = signal.completeOnTimeout(null, pause.toMillis(), TimeUnit.MILLISECONDS);
        try {
            signal.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it never fails
        }
    }

    private Duration left() {
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        Duration left = wanted.patience().map(all -> all.minus(waited)).orElse(ONE_REQUEST);
        return left.isNegative() ? Duration.ZERO : left.compareTo(ONE_REQUEST) > 0 ? ONE_REQUEST : left;
    }

    /** Others are first, or our place was lost while this process was paused: worth asking again. */
    private static boolean isBusy(Optional<Attempt<Lease>> attempt) {
        return attempt.isPresent()
                && attempt.get().fold(done -> false, busy -> true, lost -> lost.reason() == LostReason.ABANDONED);
    }

    private Optional<Attempt<Lease>> ask(Duration wait, Optional<WaitingLine> line) throws InterruptedException {
        CompletableFuture<Attempt<Lease>> answer = client.acquireAsync(
                        wanted.key(), o -> wanted.ask().accept(o, wait))
                .toCompletableFuture();
        signals.accept(() -> answer.cancel(true));
        try {
            return Optional.of(awaited(answer, line));
        } catch (CancellationException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Attempt<Lease> awaited(CompletableFuture<Attempt<Lease>> answer, Optional<WaitingLine> line)
            throws InterruptedException, ExecutionException {
        if (line.isEmpty()) {
            return answer.get();
        }
        Duration pause = FIRST_LOOK;
        while (true) {
            try {
                return answer.get(pause.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                pause = line.get().every();
            }
            if (looking.isDone()) { // never a second look while the first is on its way: the store may be slow
                looking = client.inspect().getAsync(wanted.key()).thenAccept(line.get()::show);
            }
        }
    }
}
