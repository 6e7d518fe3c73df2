package dev.holdfast;

import dev.holdfast.internal.engine.machine.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An answer whose caller may stop waiting for it in any way a future has: cancel it, complete it, time it out, or do so with the
 * only stage that depends on it. What was asked for is then given up.
 */
final class AnswerFuture<T> extends CompletableFuture<T> {
    private final Runnable givenUp;
    private final List<AnswerFuture<?>> dependents = new ArrayList<>(1);
    private boolean own = true;
    private volatile boolean left;

    /** Runs {@code givenUp} once the caller has gone, on its thread; not when the answer comes. */
    AnswerFuture(Runnable givenUp) {
        this.givenUp = givenUp;
    }

    /** The answer has come; false if nobody waits for it any more. */
    boolean answer(T value) {
        return super.complete(value);
    }

    /** No answer will come. */
    void fail(Throwable failure) {
        super.completeExceptionally(failure);
    }

    // ---- the caller goes

    @Override
    public boolean complete(T value) {
        return leave(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return leave(super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return leave(super.cancel(mayInterrupt));
    }

    private boolean leave(boolean now) {
        if (now) {
            left = true;
            givenUp.run();
        }
        return now;
    }

    // ---- stages that depend on it

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        AnswerFuture<U> dependent = new AnswerFuture<>(this::dependentLeft);
        synchronized (this) {
            if (own && !isDone()) {
                dependents.add(dependent);
            }
        }
        return dependent;
    }

    /** When none of those who wanted to go on with the answer is there any more, it would be told to nobody. */
    private void dependentLeft() {
        boolean wanted;
        synchronized (this) {
            wanted = dependents.stream().anyMatch(dependent -> !dependent.left);
        }
        if (!wanted) {
            completeExceptionally(new CancellationException("the stage that depended on it was given up"));
        }
    }

    /** Who gives it away keeps it: what becomes of a copy changes nothing. */
    @Override
    public CompletableFuture<T> copy() {
        CompletableFuture<T> copy = new CompletableFuture<>();
        uncounted(() -> Stages.then(this, (value, failure) -> {
            if (failure == null) {
                copy.complete(value);
            } else {
                copy.completeExceptionally(failure);
            }
        }));
        return copy;
    }

    @Override
    public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
        uncounted(() -> super.orTimeout(timeout, unit));
        return this;
    }

    @Override
    public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
        uncounted(() -> super.completeOnTimeout(value, timeout, unit));
        return this;
    }

    /** The stage by which a future watches its own timeout is nobody who waits. */
    private void uncounted(Runnable register) {
        synchronized (this) {
            own = false;
            try {
                register.run();
            } finally {
                own = true;
            }
        }
    }
}
