package dev.holdfast.examples;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Starts jobs of {@link SyncService} that run nowhere else, each on a thread of its own that gives the lock back at its end. */
final class SyncRuns {
    private static final Duration STEP = Duration.ofMillis(50);

    private final LockClient locks;
    private final Duration takes;
    private final ExecutorService workers = Executors.newCachedThreadPool();

    SyncRuns(LockClient locks, Duration takes) {
        this.locks = locks;
        this.takes = takes;
    }

    /**
     * What came of starting a job.
     *
     * @param status as a status of HTTP: 202, 409 or 503
     * @param told for people
     * @param job what runs: the one asked for, or the one in the way
     * @param pod where; empty if others were first who do not run yet
     * @param since when it began
     */
    record Start(int status, String told, String job, String pod, Instant since) {}

    /** Takes the lock without waiting, and works under it in the background. A store that fails is an exception, not "busy". */
    Start start(SyncJob job) throws InterruptedException {
        Attempt<Lease> attempt =
                locks.tryAcquire(job.key(), o -> o.lease(job.lease()).metadata("label", job.label()));
        return attempt.fold(
                taken -> run(job, taken.value()),
                busy -> inTheWay(job, busy.holders()),
                lost -> inTheWay(job, List.of()));
    }

    private Start run(SyncJob job, Lease lease) {
        try {
            workers.execute(() -> work(job, lease));
            return new Start(
                    202, job.label() + " started on " + SyncService.POD, job.label(), SyncService.POD, Instant.now());
        } catch (RejectedExecutionException e) {
            lease.close();
            return new Start(503, SyncService.POD + " is ending; ask another pod", job.label(), "", Instant.now());
        }
    }

    private static Start inTheWay(SyncJob job, List<Holder> holders) {
        if (holders.isEmpty()) {
            return new Start(409, job.label() + " not started: others were first", job.label(), "", Instant.now());
        }
        Holder holder = holders.get(0);
        String label = holder.metadata().getOrDefault("label", job.label());
        return new Start(
                409, label + " already running on " + holder.owner(), label, holder.owner(), holder.grantedAt());
    }

    private void work(SyncJob job, Lease lease) {
        try (lease) {
            for (long left = takes.toMillis(); left > 0; left -= STEP.toMillis()) {
                lease.ensureValid(); // before each step: who is not alone any more must not go on
                TimeUnit.MILLISECONDS.sleep(STEP.toMillis());
            }
            System.out.println(job.label() + " finished on " + SyncService.POD);
        } catch (InterruptedException e) {
            System.out.println(job.label() + " stopped on " + SyncService.POD + " after being told to end");
        } catch (LeaseLostException e) {
            System.out.println(job.label() + " stopped on " + SyncService.POD + ": " + e.getMessage());
        }
    }

    /** Takes no more work, stops what is under way, and waits until it has stopped and given its locks back. */
    void stop(Duration limit) {
        workers.shutdownNow();
        try {
            if (!workers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                System.out.println("work is still under way on " + SyncService.POD + "; its lock ends with its lease");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody waits for us any more
        }
    }
}
