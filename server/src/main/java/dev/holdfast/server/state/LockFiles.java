package dev.holdfast.server.state;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files that show people who holds a stack: after everything that happens to its lock, however and wherever it was taken or
 * ended, and every {@link #EVERY} for what no event told of: a lock that ran out, a server that was killed.
 */
public final class LockFiles implements AutoCloseable {
    /** How long a file may be wrong at most, while the store answers. */
    public static final Duration EVERY = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(LockFiles.class);
    /** Stacks whose files wait to be brought up to date; the regular look finds those beyond. */
    private static final int MAX_WAITING = 1_000;

    private final StateManager states;
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-lock-files"));
    private final Set<Stack> waiting = new LinkedHashSet<>();

    public LockFiles(StateManager states) {
        this.states = states;
    }

    public void start(Duration every) {
        var unused = thread.scheduleWithFixedDelay(
                () -> guarded(states::showLocks), 0, every.toMillis(), TimeUnit.MILLISECONDS);
    }

    public void happened(StoredEvent event) {
        Stack.of(event.event().key()).ifPresent(stack -> {
            synchronized (waiting) {
                if (thread.isShutdown() || waiting.size() >= MAX_WAITING || !waiting.add(stack) || waiting.size() > 1) {
                    return; // one is on its way
                }
            }
            thread.execute(() -> guarded(this::settleWaiting));
        });
    }

    private void settleWaiting() {
        List<Stack> all;
        synchronized (waiting) {
            all = List.copyOf(waiting);
            waiting.clear();
        }
        all.forEach(states::showLock);
    }

    /** A defect must not end the looking. */
    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("Lock files could not be brought up to date", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
