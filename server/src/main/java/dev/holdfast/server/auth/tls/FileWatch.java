package dev.holdfast.server.auth.tls;

import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Looks every so often whether files were exchanged. What is wrong with them is logged once for each thing, not at each look: an
 * exchange of two files is half done for a moment.
 */
final class FileWatch implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;
    private final Logger log;
    private final String notUsed;
    private volatile Optional<String> complaint = Optional.empty();
    private volatile Runnable looking = () -> {};

    /**
     * Not yet looking.
     *
     * @param notUsed says that what has changed is not used yet, and what is instead
     */
    FileWatch(String thread, Logger log, String notUsed) {
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered(thread));
        this.log = log;
        this.notUsed = notUsed;
    }

    /** Looks so often; {@code look} throws if the files cannot be used as they are. */
    void start(Duration every, Runnable look) {
        looking = () -> look(look);
        var unused = timer.scheduleWithFixedDelay(looking, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Looks now, too, on the same thread; does nothing if it was not started. */
    void lookNow() {
        timer.execute(looking);
    }

    /** What is wrong with the files as they are now; empty if nothing. */
    Optional<String> complaint() {
        return complaint;
    }

    private void look(Runnable look) {
        try {
            look.run();
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
