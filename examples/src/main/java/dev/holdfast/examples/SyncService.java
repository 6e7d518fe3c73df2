package dev.holdfast.examples;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.spi.StoreException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A web service that runs as several pods, of which one synchronises at a time: when somebody calls it, and by the clock.
 *
 * <pre>
 *   POST /api/sync                 all projects     202 with who works, or 409 with who already does and since when
 *   POST /api/sync/project/KEY     one project
 *   POST /api/changelog/sync       the changelog, which may run beside them
 *   GET  /api/locks/status         who works on what, on any pod; ?lockName=sync-all for one
 * </pre>
 *
 * <p>On SIGTERM no new work is taken, what is under way is stopped, and only then its lock is released.
 */
public final class SyncService {
    /** {@code HOSTNAME-pid-starttime}; in Kubernetes {@code HOSTNAME} is the name of the pod. */
    static final String POD = ClientConfig.DEFAULT.owner();

    /** Requests are short: the work has threads of its own. */
    private static final int HTTP_THREADS = 8;

    private static final Duration TIME_TO_STOP = Duration.ofSeconds(20); // less than Kubernetes waits before it kills

    private SyncService() {}

    /** Serves until it is told to end. */
    public static void main(String[] args) throws Exception {
        LockClient locks = LockClient.connect(Database.fromEnvironment().url());
        SyncRuns runs = new SyncRuns(locks, Env.duration("SYNC_TAKES", Duration.ofSeconds(10)));
        ExecutorService threads = Executors.newFixedThreadPool(HTTP_THREADS);
        int port = Integer.parseInt(Env.text("PORT", "8090"));
        HttpServer http = HttpServer.create(new InetSocketAddress(Env.text("HOST", "127.0.0.1"), port), 0);
        http.createContext("/", new SyncCalls(runs, locks.inspect()));
        http.setExecutor(threads);
        Thread cron = new Thread(() -> everyNowAndThen(runs), "cron");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            cron.interrupt();
            http.stop(0);
            runs.stop(TIME_TO_STOP);
            threads.shutdownNow();
            locks.close();
            System.out.println(POD + " ends");
        }));
        http.start();
        cron.start();
        System.out.println(
                POD + " is up at http://127.0.0.1:" + http.getAddress().getPort());
    }

    /** Fires on all pods at the same time, as cron would. */
    private static void everyNowAndThen(SyncRuns runs) {
        long every = Env.duration("SYNC_EVERY", Duration.ofMinutes(1)).toMillis();
        try {
            while (every > 0) {
                TimeUnit.MILLISECONDS.sleep(every - System.currentTimeMillis() % every);
                tick(runs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it ends
        }
    }

    private static void tick(SyncRuns runs) throws InterruptedException {
        try {
            System.out.println("cron: " + runs.start(SyncJob.all()).told());
        } catch (StoreException e) {
            System.out.println("cron: sync-all not started: " + e.getMessage()); // the next time, perhaps
        }
    }
}
