package dev.holdfast.examples;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;

/**
 * A job that several pods start by the same clock, and that runs on one of them.
 *
 * <pre>
 *   PodSync                 a pod: starts sync-all every SYNC_EVERY, until it is told to end
 *   PodSync all             as if somebody called sync-all by hand
 *   PodSync project KEY     the same for one project
 *   PodSync changelog       something that may run beside all of them
 * </pre>
 *
 * <p>All projects and one project exclude each other, because the lock of the one is a part of the lock of the other. Two
 * projects run side by side. The view {@code distributed_locks} shows each by its label.
 */
public final class PodSync {
    /** {@code HOSTNAME-pid-starttime}; in Kubernetes {@code HOSTNAME} is the name of the pod. */
    private static final String POD = ClientConfig.DEFAULT.owner();

    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(20); // less than Kubernetes waits before it kills

    private final LockClient locks;

    private PodSync(LockClient locks) {
        this.locks = locks;
    }

    /** Runs a pod, or a single job. */
    public static void main(String[] args) throws Exception {
        endOnSignal(Thread.currentThread());
        try (LockClient locks = LockClient.connect(Database.fromEnvironment().url())) {
            PodSync pod = new PodSync(locks);
            switch (String.join(" ", args).replaceFirst("^project .+", "project")) {
                case "" -> pod.everyNowAndThen(Env.duration("SYNC_EVERY", Duration.ofMinutes(1)));
                case "all" -> pod.start(SyncJob.all());
                case "project" -> pod.start(SyncJob.project(args[1]));
                case "changelog" -> pod.start(SyncJob.changelog());
                default -> throw new IllegalArgumentException("all, project KEY, changelog, or nothing");
            }
        } catch (InterruptedException e) {
            System.out.println(POD + " ends");
        }
    }

    /** Fires on all pods at the same time, as cron would. */
    private void everyNowAndThen(Duration every) throws Exception {
        System.out.println(POD + " is up");
        while (true) {
            Thread.sleep(every.toMillis() - System.currentTimeMillis() % every.toMillis());
            try {
                start(SyncJob.all());
            } catch (StoreException e) {
                System.out.println("sync-all not started: " + e.getMessage()); // the next time, perhaps
            }
        }
    }

    private void start(SyncJob job) throws Exception {
        try {
            Attempt<Integer> attempt = locks.tryRun(
                    job.key(), o -> o.lease(job.lease()).metadata("label", job.label()), lease -> work(job, lease));
            String told = attempt.fold(
                    done -> job.label() + " finished on " + POD + " after " + done.value() + " steps",
                    busy -> inTheWay(job, busy.holders()),
                    lost -> job.label() + " was no longer alone on " + POD + ": " + lost.reason());
            System.out.println(told);
        } catch (LeaseLostException e) {
            System.out.println(job.label() + " stopped on " + POD + ": " + e.getMessage());
        }
    }

    private static String inTheWay(SyncJob job, List<Holder> holders) {
        if (holders.isEmpty()) {
            return job.label() + " not started: others were first";
        }
        Holder holder = holders.get(0);
        return holder.metadata().getOrDefault("label", job.label()) + " already running on " + holder.owner();
    }

    private static int work(SyncJob job, Lease lease) throws InterruptedException {
        System.out.println(job.label() + " started on " + POD);
        int steps = (int) (Env.duration("SYNC_TAKES", Duration.ofSeconds(10)).toMillis() / STEP.toMillis());
        try {
            for (int step = 0; step < steps; step++) {
                lease.ensureValid();
                Thread.sleep(STEP.toMillis());
            }
            return steps;
        } catch (InterruptedException e) {
            System.out.println(job.label() + " stopped on " + POD + " after being told to end");
            throw e;
        }
    }

    /** Stops the work first. The lock is released when the work has stopped, not under it; then the client is closed. */
    private static void endOnSignal(Thread main) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            main.interrupt();
            try {
                main.join(TIME_TO_STOP.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // nobody waits for us any more
            }
        }));
    }
}
