package dev.holdfast.server.demo;

import dev.holdfast.Stores;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.model.Token;
import dev.holdfast.server.observe.metrics.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few teams that lock, queue, die and forget, at a pace people can follow: about three events a second. It uses the namespace
 * {@code deploy} and those that begin with {@code demo-}, and ends by itself after a day, so that a forgotten one does not
 * fill the disk. Closing it gives back its locks.
 */
public final class DemoTraffic implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.Demo");
    private static final Duration LONGEST = Duration.ofDays(1);
    /** After a failure of the store; it is asked again soon enough. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    /** Long enough to be shown as stale before it is ended. */
    private static final Duration FORGOTTEN_FOR = Duration.ofMinutes(3);

    private static final Duration BETWEEN_FORGETTING = Duration.ofSeconds(40);
    /** All workers together; each only gives back one lock. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final DemoWork work;
    private final long end = System.nanoTime() + LONGEST.toNanos();
    private final List<Thread> threads = new ArrayList<>();

    private DemoTraffic(LockEngine engine, Meters meters) {
        this.work = new DemoWork(engine, meters);
        for (Teams.Worker worker : new Teams(new Random()).workers()) {
            threads.add(new Thread(() -> repeat(() -> oneJob(worker)), "holdfast-demo-" + worker.name()));
        }
        threads.add(new Thread(() -> repeat(this::forgetAndForce), "holdfast-demo-operator"));
    }

    /** Starts it on a running engine; what is done is counted by the meters. */
    public static DemoTraffic start(LockEngine engine, Meters meters) {
        DemoTraffic traffic = new DemoTraffic(engine, meters);
        for (Thread thread : traffic.threads) {
            thread.setDaemon(true);
            thread.start();
        }
        return traffic;
    }

    /** Why there must be no demo on this store: others may use it, and would meet its locks. */
    public static Optional<String> refusal(String store) {
        String lower = store.toLowerCase(Locale.ROOT);
        return lower.startsWith("memory:") || lower.startsWith("sqlite:") || lower.startsWith("jdbc:sqlite:")
                ? Optional.empty()
                : Optional.of("server.demo is only for a store of this server alone, sqlite: or memory:, was '"
                        + Stores.masked(store) + "'. Leave --demo out, or add --store memory:");
    }

    private interface Round {
        void live() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private void repeat(Round round) {
        try {
            while (System.nanoTime() - end < 0) {
                try {
                    round.live();
                } catch (ExecutionException | TimeoutException | RuntimeException e) {
                    LOG.debug("Demo: {}", e.getMessage());
                    pause(AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it is being closed, and this thread ends here
        }
    }

    private void oneJob(Teams.Worker worker) throws InterruptedException, ExecutionException, TimeoutException {
        work.doIt(worker.jobs().get());
        pause(worker.pause().get());
    }

    private void forgetAndForce() throws InterruptedException, ExecutionException, TimeoutException {
        Optional<Token> token = work.forget();
        pause(token.isPresent() ? FORGOTTEN_FOR : BETWEEN_FORGETTING);
        if (token.isPresent()) {
            work.force(token.get());
            pause(BETWEEN_FORGETTING);
        }
    }

    private static void pause(Duration length) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(length.toMillis());
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        long limit = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(limit - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // what is not given back expires
        }
    }
}
