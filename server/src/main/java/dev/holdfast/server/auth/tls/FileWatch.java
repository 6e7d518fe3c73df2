package dev.holdfast.server.auth.tls;

import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Looks every so often whether files were exchanged. What is wrong with them is logged once for each thing, not at each look: an
 * exchange of two files is half done for a moment.
 */
abstract class FileWatch<T> implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;
    private final Logger log;
    private final String notUsed;
    private volatile Optional<String> complaint = Optional.empty();
    private volatile Runnable looking = () -> {};

    /** @param notUsed says that what has changed is not used yet, and what is instead */
    FileWatch(String thread, Logger log, String notUsed) {
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered(thread));
        this.log = log;
        this.notUsed = notUsed;
    }

    /** Tells {@code changed} if the files have something else in them than what is in use; throws if they cannot be used as they are. */
    abstract void look(Consumer<T> changed);

    /**
     * Looks every so often whether the files have changed (by content: a renewed certificate for the same key counts too), and
     * tells {@code changed}, on a thread of its own. If that throws, the same is offered again next time.
     */
    public void watch(Duration every, Consumer<T> changed) {
        if (every.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException(
                    "TLS files must be looked at every 10ms or less often, was '" + every + "'");
        }
        looking = () -> guarded(changed);
        var unused = timer.scheduleWithFixedDelay(looking, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Looks now, too, on the same thread; does nothing if nobody watches. */
    public void lookNow() {
        timer.execute(looking);
    }

    /** What is wrong with the files as they are now, while what was read before stays in use; empty if nothing. */
    public Optional<String> complaint() {
        return complaint;
    }

    private void guarded(Consumer<T> changed) {
        try {
            look(changed);
            complaint = Optional.empty();
        } catch (RuntimeException e) {
            Optional<String> what = Optional.of(
                    e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : "Not accepted: " + e);
            if (!what.equals(complaint)) {
                complaint = what;
                log.warn("{}: {}", notUsed, what.get());
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
