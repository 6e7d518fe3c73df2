package dev.holdfast.internal.parts;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What callers who went away leave behind, until it is given up: places in queues, and locks they were granted meanwhile. Who closes
 * a client is often about to end the process, so closing waits for it.
 */
public final class Leftovers {
    private final Map<Object, CompletableFuture<?>> open = new ConcurrentHashMap<>();

    /** Gives something up; it counts as left behind from before the call until what the call returns has ended, as this then does. */
    public CompletableFuture<Void> giveUp(Supplier<? extends CompletableFuture<?>> how) {
        Object mark = new Object();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        open.put(mark, ended);
        CompletableFuture<?> given;
        try {
            given = how.get();
        } catch (Throwable e) { // an Error too: what is never ended would be waited for at every close
            given = CompletableFuture.failedFuture(e);
        }
        var unused = given.whenComplete((value, failure) -> {
            open.remove(mark);
            if (failure == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(failure);
            }
        });
        return ended;
    }

    /** Waits until nothing is left, at most so long; why something is, or was not given up. */
    public Optional<Exception> await(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        Optional<Exception> failure = Optional.empty();
        long left = within.toNanos();
        while (!open.isEmpty() && left > 0 && !Thread.currentThread().isInterrupted()) {
            Optional<Exception> latest = LastWait.forAll(List.copyOf(open.values()), Duration.ofNanos(left));
            failure = failure.or(() -> latest);
            left = end - System.nanoTime();
        }
        return failure;
    }
}
