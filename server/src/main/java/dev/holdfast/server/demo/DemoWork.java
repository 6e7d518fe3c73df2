package dev.holdfast.server.demo;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.observe.metrics.AcquireOutcome;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does jobs under locks of the server's engine, counted as if they had come over the network. */
record DemoWork(LockEngine engine, Meters meters) {
    /** Longer than an engine needs to answer, or to say that it cannot. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Takes the lock, works, releases it. Interrupted, it gives back what it has, and says so by the exception. */
    void doIt(Job job) throws Exception {
        LeaseId leaseId = engine.newLeaseId();
        if (!acquire(job.key(), job.request(leaseId)) || job.end() == Job.End.DIED) {
            return;
        }
        try {
            half(job);
            RenewResult renewed = answer(engine.renew(job.key().record(), leaseId, Optional.empty()))
                    .result();
            meters.renewed(
                    job.key(), renewed instanceof RenewResult.Renewed ? RenewalOutcome.RENEWED : RenewalOutcome.LOST);
            half(job);
        } finally {
            release(job.key(), leaseId);
        }
    }

    private static void half(Job job) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(job.work().toMillis() / 2);
    }

    private void release(LockKey key, LeaseId leaseId) throws Exception {
        ReleaseResult released = answer(engine.release(key.record(), leaseId)).result();
        meters.released(released == ReleaseResult.RELEASED ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
    }

    private boolean acquire(LockKey key, Request request) throws Exception {
        long start = System.nanoTime();
        Acquisition acquisition = engine.acquire(request);
        AcquireResult result;
        try {
            result = acquisition
                    .answer()
                    .get(request.waitFor().plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS)
                    .result();
        } catch (InterruptedException | TimeoutException e) {
            acquisition.cancel();
            throw e;
        }
        boolean granted = result instanceof AcquireResult.Granted;
        meters.acquired(
                key,
                granted ? AcquireOutcome.GRANTED : AcquireOutcome.BUSY,
                Duration.ofNanos(System.nanoTime() - start));
        return granted;
    }

    private static <T> T answer(CompletableFuture<T> asked) throws Exception {
        return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
