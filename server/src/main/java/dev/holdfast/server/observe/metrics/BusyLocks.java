package dev.holdfast.server.observe.metrics;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.spi.ScanRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Counts holds and waiters by listing the records in use, page after page. Stops at {@value #MAX_RECORDS} records and then says
 * that there are more: a count must not become a burden to the store. Uses no thread of the caller.
 */
public record BusyLocks(Inspector inspector) implements Supplier<CompletionStage<Counts>> {
    static final int MAX_RECORDS = 10_000;

    @Override
    public CompletionStage<Counts> get() {
        return page(ScanRequest.all().busy(), new Counts(0, 0, 0, true), 0);
    }

    private CompletableFuture<Counts> page(ScanRequest request, Counts before, int looked) {
        return inspector.listAsync(request).thenCompose(page -> {
            Counts counts = before;
            for (LockView lock : page.locks()) {
                counts = plus(counts, lock);
            }
            int all = looked + page.locks().size();
            Optional<String> next = page.next();
            if (next.isEmpty()) {
                return CompletableFuture.completedFuture(counts);
            }
            return all >= MAX_RECORDS
                    ? CompletableFuture.completedFuture(
                            new Counts(counts.active(), counts.waiters(), counts.stale(), false))
                    : page(request.from(next), counts, all);
        });
    }

    private static Counts plus(Counts counts, LockView lock) {
        long stale = lock.holders().stream().filter(Holder::stale).count();
        return new Counts(
                counts.active() + lock.holders().size(),
                counts.waiters() + lock.waiters().size(),
                counts.stale() + stale,
                true);
    }
}
