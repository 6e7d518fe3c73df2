package dev.holdfast.server.survey;

import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.spi.ScanRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Looks at all locks in some places, page after page, for what only all of them together can tell: how many, which longest. It stops at
 * {@value #MOST} locks or {@value #MOST_REQUESTS} requests and says that there are more, so that no answer becomes a burden to the store.
 * Keeps nothing of what it saw.
 */
public record LockSurvey(Inspector inspector) {
    public static final int MOST = 20_000;
    /** Requests to the store for one answer: somebody may be allowed to read many small places. */
    static final int MOST_REQUESTS = 100;

    /**
     * Shows each lock to {@code seen}, in the order of keys, one at a time.
     *
     * @param onlyBusy whether locks that are free, and that nobody waits for, are left out
     * @return whether all were seen
     */
    public CompletableFuture<Boolean> look(List<ReadablePart> places, boolean onlyBusy, Consumer<LockView> seen) {
        return places.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : page(new Walk(places, onlyBusy, seen), 0, Optional.empty(), 0, 1);
    }

    private record Walk(List<ReadablePart> places, boolean onlyBusy, Consumer<LockView> seen) {}

    private CompletableFuture<Boolean> page(Walk walk, int place, Optional<String> cursor, int looked, int requests) {
        ScanRequest scan = walk.places().get(place).scan(walk.onlyBusy(), cursor, ScanRequest.MAX_LIMIT);
        return inspector.listAsync(scan).thenCompose(page -> {
            page.locks().forEach(walk.seen());
            int next = page.next().isPresent() ? place : place + 1;
            if (next == walk.places().size()) {
                return CompletableFuture.completedFuture(true);
            }
            int all = looked + page.locks().size();
            return all >= MOST || requests == MOST_REQUESTS
                    ? CompletableFuture.completedFuture(false)
                    : page(walk, next, page.next(), all, requests + 1);
        });
    }
}
