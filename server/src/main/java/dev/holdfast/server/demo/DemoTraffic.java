package dev.holdfast.server.demo;

import dev.holdfast.guard.Guard;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.state.StateManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few teams that lock, queue and die at work, deployments that save state, and apps that come and go: at a pace people can
 * follow, about an event a second. It ends by itself after a day. Closing it gives back its locks.
 */
public final class DemoTraffic implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.Demo");
    private static final Duration LONGEST = Duration.ofDays(1);
    /** After a failure; it is tried again soon enough. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

    private static final Duration BETWEEN_DEPLOYMENTS = Duration.ofSeconds(50);
    private static final Duration APP_RUNS = Duration.ofMinutes(2);
    /** A minute longer than an app must fail to count as down: one database is stopped meanwhile. */
    private static final Duration APP_RESTS = Duration.ofMinutes(6);
    /** All workers together; each only gives back one lock. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final DemoWork work;
    private final DemoApps apps;
    private final long end = System.nanoTime() + LONGEST.toNanos();
    private final List<Thread> threads = new ArrayList<>();

    /** The guard of the server; it may take a moment until it is there. */
    @FunctionalInterface
    public interface GuardSource {
        Guard guard() throws InterruptedException;
    }

    private DemoTraffic(LockEngine engine, Meters meters, StateManager states, GuardSource guard, DemoApps apps) {
        this.work = new DemoWork(engine, meters);
        this.apps = apps;
        for (Teams.Worker worker : new Teams(new Random()).workers()) {
            threads.add(DaemonThreads.make(
                    "holdfast-demo-" + worker.name(),
                    () -> repeat(() -> {
                        work.doIt(worker.jobs().get());
                        pause(worker.pause().get());
                    })));
        }
        DemoStates stacks = new DemoStates(states);
        threads.add(DaemonThreads.make("holdfast-demo-deployments", () -> every(BETWEEN_DEPLOYMENTS, stacks::deploy)));
        threads.add(DaemonThreads.make("holdfast-demo-migrations", () -> every(BETWEEN_DEPLOYMENTS, stacks::migrate)));
        threads.add(DaemonThreads.make("holdfast-demo-apps", () -> guarded(guard)));
    }

    /**
     * Starts it on the parts of a running server; what is done is counted by the meters.
     *
     * @param apps what the guard watches; closed with it
     */
    public static DemoTraffic start(
            LockEngine engine, Meters meters, StateManager states, GuardSource guard, DemoApps apps) {
        DemoTraffic traffic = new DemoTraffic(engine, meters, states, guard, apps);
        traffic.threads.forEach(Thread::start);
        return traffic;
    }

    private interface Round {
        void live() throws Exception;
    }

    private void repeat(Round round) {
        try {
            while (System.nanoTime() - end < 0) {
                try {
                    round.live();
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) { // of the store, or of the guard: a demo goes on
                    LOG.debug("Demo: {}", e.getMessage());
                    pause(AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it is being closed, and this thread ends here
        }
    }

    private void every(Duration pause, Round round) {
        repeat(() -> {
            round.live();
            pause(pause);
        });
    }

    private void guarded(GuardSource source) {
        boolean[] registered = new boolean[1];
        repeat(() -> {
            Guard guard = source.guard();
            if (!registered[0]) {
                apps.register(guard);
                registered[0] = true;
            }
            pause(APP_RESTS);
            apps.wake(guard);
            pause(APP_RUNS);
            apps.sleep(guard);
        });
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
        apps.close();
    }
}
