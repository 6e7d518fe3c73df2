package dev.holdfast.engine.machine;

import dev.holdfast.spi.time.LocalTime;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine of a real process: daemon threads that end when idle, the system's clocks, secure randomness. */
public final class ThreadMachine implements Machine {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadMachine.class);

    /** Threads for store calls: two writers, renewals, reads. More would only queue inside the store. */
    private static final int WORKERS = 8;
    /** Threads for listeners; one that blocks takes one of them, and no other part of the engine. */
    private static final int LISTENERS = 32;

    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor listeners;
    private final ScheduledThreadPoolExecutor timers;
    private final ThreadLocal<Randomness> randomness = ThreadLocal.withInitial(Randomness::new);

    /** Makes the pools; no thread starts before there is work. */
    public ThreadMachine(String name) {
        workers = pool(WORKERS, "holdfast-" + name);
        listeners = pool(LISTENERS, "holdfast-" + name + "-listener");
        timers = new ScheduledThreadPoolExecutor(1, threads("holdfast-" + name + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
    }

    private static ThreadPoolExecutor pool(int size, String name) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public LocalTime time() {
        return LocalTime.SYSTEM;
    }

    @Override
    public void run(Runnable task) {
        execute(workers, task);
    }

    @Override
    public void tell(Runnable task) {
        execute(listeners, task);
    }

    private static void execute(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("dropped a task after close", e);
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> scheduled =
                    timers.schedule(() -> guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.debug("dropped a timer after close", e);
            return () -> {};
        }
    }

    /** What is thrown here is a defect of ours or of a listener; it is said once and must not stop the thread's next task. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A task of the lock engine or a listener failed; the others go on", e);
        }
    }

    @Override
    public long random() {
        return randomness.get().next();
    }

    @Override
    public void close() {
        timers.shutdownNow();
        workers.shutdown();
        listeners.shutdown();
    }

    /** Fetches random bytes a kilobyte at a time: a lease id must not cost a system call. */
    private static final class Randomness {
        private final SecureRandom source = new SecureRandom();
        private final byte[] bytes = new byte[1024];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes).position(1024);

        long next() {
            if (buffer.remaining() < 8) {
                source.nextBytes(bytes);
                buffer.clear();
            }
            return buffer.getLong();
        }
    }
}
