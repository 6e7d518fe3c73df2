package dev.holdfast;

import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A question for a lock. It is asked again under a new lease id when the last one ended before its caller heard of it: its place
 * in the queue was lost while this process was paused, or it was granted, the answer was lost, and the grant was taken back. A
 * caller who chose the lease id itself may know more of it than we do, and is told.
 */
final class AcquireQuestion implements LockService.Asking {
    /** How often a question that does not wait is asked; each time it was granted, and the answer was lost. */
    private static final int MAX_TRIES = 3;
    /** Before one who waits for ever asks again. Not a timer of the machine, which forgets it when the client is closed. */
    private static final Executor AFTER_A_PAUSE = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

    private final LockService service;
    private final String owner;
    private final LockKey key;
    private final AcquireOptions options;
    private final boolean forever;
    private final Duration wait;
    private final long start;
    private final CompletableFuture<Attempt<LockService.Grant>> answer = new CompletableFuture<>();
    private int tries;

    // Guarded by this.
    private LockService.@Nullable Asking asking;
    private boolean cancelled;

    AcquireQuestion(LockService service, String owner, LockKey key, AcquireOptions options, Duration wait) {
        this.service = service;
        this.owner = owner;
        this.key = key;
        this.options = options;
        this.forever = wait.equals(AcquireOptions.FOREVER);
        this.wait = forever ? Request.MAX_WAIT : Request.waitFor(wait);
        this.start = service.machine().time().nanos();
    }

    @Override
    public CompletableFuture<Attempt<LockService.Grant>> answer() {
        return answer;
    }

    void ask(Calling calling) {
        tries++;
        LockService.Asking next = service.acquire(request(), calling);
        boolean over;
        synchronized (this) {
            asking = next;
            over = cancelled;
        }
        if (over) {
            next.cancel();
        }
        CompletionStage<Attempt<LockService.Grant>> told = next.answer();
        told.whenComplete((given, failure) -> {
            try {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else if (forever && given instanceof Attempt.Busy) {
                    // After the longest that one place is kept; or there was no room to wait, and there may be soon.
                    AFTER_A_PAUSE.execute(this::askAgain);
                } else if (isToBeAskedAgain(given)) {
                    ask(Calling.ASYNC);
                } else {
                    answer.complete(given);
                }
            } catch (Throwable e) { // nobody else would tell the caller
                answer.completeExceptionally(e);
            }
        });
    }

    private void askAgain() {
        try {
            ask(Calling.ASYNC);
        } catch (RuntimeException | Error e) { // nobody else would tell the caller
            answer.completeExceptionally(e);
        }
    }

    private Request request() {
        Duration left =
                forever ? wait : wait.minusNanos(service.machine().time().nanos() - start);
        return new Request(
                key.record(),
                options.leaseId.orElseGet(service::newLeaseId),
                options.scope(key),
                options.owner.orElse(owner),
                options.terms(),
                left.isNegative() ? Duration.ZERO : left,
                Duration.ZERO);
    }

    private boolean isToBeAskedAgain(Attempt<LockService.Grant> given) {
        if (!(given instanceof Attempt.Lost<LockService.Grant> lost) || options.leaseId.isPresent()) {
            return false;
        }
        boolean timeLeft = forever || service.machine().time().nanos() - start < wait.toNanos();
        if (!timeLeft && tries >= MAX_TRIES) {
            throw new StoreUnavailableException(
                    "Lock " + key + " was granted " + tries + " times, and each time it had ended before the answer"
                            + " arrived (" + lost.reason() + "). Nothing is held; try again later",
                    null);
        }
        return true;
    }

    /** The caller went away: its place in the queue, or the lock if it was granted meanwhile, is given up. */
    @Override
    public void cancel() {
        LockService.Asking last;
        synchronized (this) {
            cancelled = true;
            last = asking;
        }
        if (last != null) {
            last.cancel();
        }
    }
}
