package dev.holdfast.spring;

import dev.holdfast.LockClient;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the lock client in order when the application ends: after the web server has finished its requests and schedulers have stopped,
 * and before any bean is destroyed. No lock is granted any more, work that holds one may end, and what is held then is released.
 */
final class LockClientShutdown implements SmartLifecycle {
    /** Stopped after the web server (whose phases are 1024 and 2048 below the highest), and before what has a phase of its own near zero. */
    static final int PHASE = DEFAULT_PHASE - 8 * 1024;

    private final LockClient client;
    private final Duration drain;
    private volatile boolean running;
    private volatile boolean closed;

    LockClientShutdown(LockClient client, Duration drain) {
        this.client = client;
        this.drain = drain;
    }

    @Override
    public void start() {
        if (closed) {
            throw new IllegalStateException("The lock client was closed when the application context was stopped,"
                    + " and cannot be opened again; make a new context");
        }
        running = true;
    }

    @Override
    public void stop() {
        closed = true;
        client.close(drain);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Not stopped while a test context is only set aside (Spring 7): it could not be started again. */
    @SuppressWarnings("MissingOverride") // Spring 6 does not have it
    public boolean isPauseable() {
        return false;
    }
}
