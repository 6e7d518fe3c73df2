package dev.holdfast.examples.spring;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.OnBusy;
import dev.holdfast.spring.WithLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

/**
 * The work. Each method takes its lock or throws who has it, starts, and returns; the lock is held until the stage is completed. All projects
 * are the whole of a lock and one project a part of it, so they exclude each other.
 */
@Service
class Synchronisation {
    private static final Logger LOG = LoggerFactory.getLogger(Synchronisation.class);
    private static final Duration STEP = Duration.ofMillis(50);

    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Duration takes;

    Synchronisation(@Value("${sync.takes:10s}") Duration takes) {
        this.takes = takes;
    }

    @WithLock(name = "sync", lease = "60m", onBusy = OnBusy.FAIL)
    CompletionStage<@Nullable Void> all() {
        return work("sync-all");
    }

    @WithLock(name = "sync", path = "project/{#key}", lease = "30m", onBusy = OnBusy.FAIL)
    CompletionStage<@Nullable Void> project(String key) {
        return work("sync-project-" + key);
    }

    @WithLock(name = "changelog-sync", onBusy = OnBusy.FAIL)
    CompletionStage<@Nullable Void> changelog() {
        return work("changelog-sync");
    }

    private CompletionStage<@Nullable Void> work(String job) {
        Lease lease = CurrentLease.get();
        return CompletableFuture.runAsync(() -> steps(job, lease), workers);
    }

    private void steps(String job, Lease lease) {
        try {
            for (long left = takes.toMillis(); left > 0; left -= STEP.toMillis()) {
                lease.ensureValid(); // before each step: who is not alone any more must not go on
                TimeUnit.MILLISECONDS.sleep(STEP.toMillis());
            }
            LOG.info("{} finished", job);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.info("{} stopped, as the application ends", job);
        } catch (LeaseLostException e) {
            LOG.warn("{} stopped: {}", job, e.getMessage());
        }
    }

    /** First the work stops, then its locks are released. */
    @EventListener(ContextClosedEvent.class)
    void stop() {
        workers.shutdownNow();
    }
}
