package dev.holdfast.client;

import dev.holdfast.internal.engine.leases.LeaseRenewals;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears from the server which locks were ended by force, so that a holder that renews seldom does not go on until its next renewal.
 * What is heard is only a reason to renew at once: the answer to that decides. One connection for all leases, while there is one that
 * needs it. Where the server does not tell, or not this client, renewals find out.
 */
final class ForcedNews {
    private static final Logger LOG = LoggerFactory.getLogger(ForcedNews.class);

    /** Leases that are renewed more often find out soon enough by themselves, and are many. */
    private static final Duration SELDOM = Duration.ofSeconds(15);
    /** How long it goes on listening without a lease, and how long it does not after it was refused. */
    private static final Duration LINGER = Duration.ofSeconds(30);

    /** While a connection is made few leases are taken. */
    private static final int MAX_EARLY = 1_000;

    private final ServerLocks locks;
    private final LeaseRenewals renewals;
    private final Machine machine;
    private @Nullable Events events;
    private boolean ready;
    /** Leases from before it could hear: they are asked about once. */
    private final Set<RecordKey> early = new HashSet<>();

    private boolean refused;
    private boolean closed;

    ForcedNews(ServerLocks locks, LeaseRenewals renewals, Machine machine) {
        this.locks = locks;
        this.renewals = renewals;
        this.machine = machine;
    }

    void kept(RecordKey key, Hold hold) {
        if (hold.terms().renewEvery().compareTo(SELDOM) < 0) {
            return;
        }
        synchronized (this) {
            if (!ready && early.size() < MAX_EARLY) {
                early.add(key);
            }
        }
        listen();
    }

    private synchronized void listen() {
        if (events != null || refused || closed) {
            return;
        }
        Events opened = new Events(locks, Optional.of(EventType.FORCED), this::forced, this::ended);
        events = opened;
        opened.begin();
        Stages.then(opened.ready(), (ready, failure) -> {
            if (failure == null) {
                begun();
            } else {
                LOG.debug("Force-unlocks cannot be received; renewals will notice them: {}", failure.getMessage());
                ended(opened); // whoever stopped it before that has forgotten it, and was not refused
            }
        });
        machine.after(LINGER, this::look);
    }

    /** From now on everything is heard; what happened while it was connecting is asked for. */
    private void begun() {
        List<RecordKey> before;
        synchronized (this) {
            ready = true;
            before = List.copyOf(early);
            early.clear();
        }
        before.forEach(renewals::lookAt);
    }

    /** Leases may have come and gone. */
    private void look() {
        if (renewals.size() == 0) {
            stop(false);
            return;
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            refused = false;
            if (events != null) {
                machine.after(LINGER, this::look);
                return;
            }
        }
        listen(); // once more: it may have been refused for a reason that is gone
    }

    private void forced(EventLog.StoredEvent event) {
        if (event.event().type() == EventType.FORCED) {
            renewals.lookAt(event.event().key());
        }
    }

    /** It closed itself, such as after a refusal; whoever stopped it has forgotten it before. */
    private synchronized void ended(Events over) {
        if (events == over) {
            forget(true); // until the next look
        }
    }

    private void forget(boolean isRefused) {
        events = null;
        ready = false;
        early.clear();
        refused = isRefused;
    }

    private void stop(boolean forNow) {
        Events open;
        synchronized (this) {
            open = events;
            forget(forNow);
        }
        if (open != null) {
            open.close();
        }
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        stop(false);
    }
}
