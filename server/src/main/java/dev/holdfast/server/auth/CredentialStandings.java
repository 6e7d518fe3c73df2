package dev.holdfast.server.auth;

import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Credentials with something open, looked at several times a second: what was opened with those that ended is told to end. */
public final class CredentialStandings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialStandings.class);
    private static final long LOOK_EVERY_MILLIS = 250;

    private final Clock clock;
    private final Set<Credential> open = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-standing"));

    public CredentialStandings(Clock clock) {
        this.clock = clock;
        var unused =
                timer.scheduleWithFixedDelay(this::look, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Credentials that count until then by the local clock, and as long as they are {@code accepted}. */
    public CredentialStanding of(Instant until, BooleanSupplier accepted) {
        return new Credential(until, accepted);
    }

    private void look() {
        for (Credential credential : open) {
            if (!credential.stands()) {
                credential.end();
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private final class Credential implements CredentialStanding {
        private final Instant until;
        private final BooleanSupplier accepted;
        /** How what was opened ends, by a key of its own: two streams may end in the same way. Guarded by this. */
        private final Map<Object, Runnable> opened = new HashMap<>();

        Credential(Instant until, BooleanSupplier accepted) {
            this.until = until;
            this.accepted = accepted;
        }

        @Override
        public boolean stands() {
            return clock.instant().isBefore(until) && accepted.getAsBoolean();
        }

        @Override
        public synchronized Runnable whenOver(Runnable act) {
            Object one = new Object();
            opened.put(one, act);
            open.add(this);
            return () -> forget(one);
        }

        private synchronized void forget(Object one) {
            opened.remove(one);
            if (opened.isEmpty()) {
                open.remove(this);
            }
        }

        private synchronized List<Runnable> taken() {
            List<Runnable> all = List.copyOf(opened.values());
            opened.clear();
            open.remove(this);
            return all;
        }

        void end() {
            for (Runnable ending : taken()) {
                try {
                    ending.run();
                } catch (RuntimeException e) { // the others must end all the same
                    LOG.error("Something that was opened with credentials that ended could not be ended", e);
                }
            }
        }
    }
}
