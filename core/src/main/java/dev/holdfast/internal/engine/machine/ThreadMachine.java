package dev.holdfast.internal.engine.machine;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.time.LocalTime;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine of a real process: daemon threads that end when idle, the system's clocks, secure randomness. */
public final class ThreadMachine implements Machine {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadMachine.class);

    /** Threads for store calls: two writers, renewals, reads. More would only queue inside the store. */
    private static final int WORKERS = 8;
    /** Threads of each lane of foreign code; what blocks takes one of them, and of no other lane. */
    private static final int LISTENERS = 32;
    /** Sources of randomness: enough that callers seldom meet. Not one for each thread, of which there may be millions. */
    private static final int SOURCES = 16;

    private final ThreadPoolExecutor workers;
    private final Optional<Executor> foreign;
    private final Executor answers;
    private final Executor losses;
    private final Executor events;
    private final List<ThreadPoolExecutor> pools = new ArrayList<>();
    private final ScheduledThreadPoolExecutor timers;
    private final Randomness[] randomness = new Randomness[SOURCES];

    /** Makes the pools; no thread starts before there is work. */
    public ThreadMachine(String name) {
        this(name, Optional.empty());
    }

    /**
     * The same, for callers who have threads of their own.
     *
     * @param answers where they do what follows an answer
     */
    public ThreadMachine(String name, Optional<Executor> answers) {
        workers = pool(WORKERS, "holdfast-" + name);
        this.foreign = answers;
        this.answers = pool(LISTENERS, "holdfast-" + name + "-answers");
        losses = pool(LISTENERS, "holdfast-" + name + "-losses");
        events = pool(LISTENERS, "holdfast-" + name + "-events");
        Arrays.setAll(randomness, i -> new Randomness());
        timers = new ScheduledThreadPoolExecutor(1, threads("holdfast-" + name + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
    }

    private ThreadPoolExecutor pool(int size, String name) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(size, size, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads(name));
        pool.allowCoreThreadTimeOut(true);
        pools.add(pool);
        return pool;
    }

    private static ThreadFactory threads(String name) {
        ThreadFactory daemons = DaemonThreads.numbered(name);
        return task -> {
            Thread thread = daemons.newThread(task);
            thread.setContextClassLoader(ThreadMachine.class.getClassLoader()); // not that of whoever called first
            return thread;
        };
    }

    @Override
    public LocalTime time() {
        return LocalTime.SYSTEM;
    }

    @Override
    public void run(Runnable task) {
        try {
            workers.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.debug("dropped a task after close", e);
        }
    }

    @Override
    public void tell(ThreadLane lane, Runnable task) {
        if (lane == ThreadLane.ANSWERS && foreign.isPresent()) {
            try {
                foreign.get().execute(() -> guarded(task));
                return;
            } catch (
                    RuntimeException
                            e) { // full or closed; its caller must hear its answer, and the engine's thread must not do
                // this
                LOG.debug("the executor for answers refused a task", e);
            }
        }
        try {
            executor(lane).execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            if (lane == ThreadLane.EVENTS) {
                LOG.debug("dropped an event after close", e);
            } else {
                guarded(task); // somebody may still wait for it
            }
        }
    }

    private Executor executor(ThreadLane lane) {
        return switch (lane) {
            case ANSWERS -> answers;
            case LOSSES -> losses;
            case EVENTS -> events;
        };
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
        return randomness[(int) (Thread.currentThread().getId() % SOURCES)].next();
    }

    @Override
    public void close() {
        timers.shutdownNow();
        pools.forEach(ThreadPoolExecutor::shutdown);
    }

    /** Fetches random bytes a kilobyte at a time: a lease id must not cost a system call. */
    private static final class Randomness {
        private final SecureRandom source = new SecureRandom();
        private final byte[] bytes = new byte[1024];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes).position(1024);
        private final Lock lock = new ReentrantLock(); // a monitor would pin a virtual thread

        long next() {
            lock.lock();
            try {
                if (buffer.remaining() < 8) {
                    source.nextBytes(bytes);
                    buffer.clear();
                }
                return buffer.getLong();
            } finally {
                lock.unlock();
            }
        }
    }
}
