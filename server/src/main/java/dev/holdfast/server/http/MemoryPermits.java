package dev.holdfast.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * What takes much memory or many requests to the store, though no thread of ours: so much of it at a time, and of one caller at most a
 * share; the rest hear to come back.
 */
public final class MemoryPermits {
    private final Semaphore all;
    private final Shares shares;

    public MemoryPermits(int all, int each) {
        this.all = new Semaphore(all);
        this.shares = new Shares(each);
    }

    public <T> CompletableFuture<T> run(Call call, Supplier<CompletableFuture<T>> work) {
        return run(call.share(), work);
    }

    <T> CompletableFuture<T> run(String share, Supplier<CompletableFuture<T>> work) {
        if (!shares.take(share)) {
            throw Blocking.OWN_SHARE.refused();
        }
        if (!all.tryAcquire()) {
            shares.giveBack(share);
            throw Blocking.BUSY.refused();
        }
        try {
            return work.get().whenComplete((value, failure) -> over(share));
        } catch (RuntimeException | Error e) {
            over(share);
            throw e;
        }
    }

    private void over(String share) {
        all.release();
        shares.giveBack(share);
    }
}
