package dev.holdfast.server.guard;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.local.GuardMeter;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.load.SlowOperations;
import dev.holdfast.server.observe.load.WatchedDocuments;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guard of this server. Its documents are opened beside the start: a server whose guard cannot work yet still serves locks,
 * and the guard goes on as soon as it can.
 */
public final class GuardService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuardService.class);
    private static final Duration OPEN_AGAIN = Duration.ofSeconds(5);
    /** How long a call waits for documents that are being opened. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The name of a document that is never there. */
    private static final String HEALTH = "health";

    private final GuardOptions options;
    private final String store;
    private final LockClient locks;
    private final GuardMeter meter;
    private final SlowOperations slow;
    private final Actuators actuators; // of this server alone: they remember what they were told
    private final Thread opening;
    private Optional<OpenGuard> opened = Optional.empty(); // guarded by this, as the rest
    private String trouble = "";
    private boolean over;

    private record OpenGuard(DocumentStore documents, ConfiguredGuard guard) {
        void close() {
            guard.close();
            documents.close();
        }
    }

    private GuardService(GuardOptions options, String store, LockClient locks, GuardMeter meter, SlowOperations slow) {
        this.options = options;
        this.store = options.store().orElse(store);
        this.locks = locks;
        this.meter = meter;
        this.slow = slow;
        this.actuators = Actuators.of(options.actuators(), System.getenv());
        this.opening = DaemonThreads.make("holdfast-guard-opening", this::open);
    }

    /** Starts it; {@code store} is where the locks are, {@code slow} is told what takes long. */
    public static GuardService start(
            GuardOptions options, String store, LockClient locks, GuardMeter meter, SlowOperations slow) {
        GuardService service = new GuardService(options, store, locks, meter, slow);
        if (options.enabled()) {
            service.opening.start();
        }
        return service;
    }

    /** Says what somebody who expects databases to be stopped must know. */
    public void sayWhatIsNotDone() {
        if (!options.enabled()) {
            return;
        }
        if (!options.config().sharedDbLockEnabled()) {
            LOG.warn("The guard is in shadow mode (SHARED_DB_LOCK_ENABLED, controller.shared_db_lock_enabled is false):"
                    + " it decides and records, and stops nothing");
        }
        if (recordsOnly()) {
            LOG.info(
                    "The guard has no actuator but '{}', which only records: no database is really stopped or started."
                            + " Configure guard.actuators, and guard.actuator, to change that",
                    options.usualActuator());
        }
    }

    /** Whether it has nothing that really stops a database. */
    public boolean recordsOnly() {
        return options.enabled() && actuators.all().stream().allMatch(Actuator::recordsOnly);
    }

    public boolean isEnabled() {
        return options.enabled();
    }

    /** Why it does not work now; empty if it does. Blocks while it looks whether its documents can be read. */
    public Optional<String> trouble() {
        Optional<OpenGuard> open;
        synchronized (this) {
            open = opened;
            if (open.isEmpty()) {
                return Optional.of(
                        trouble.isEmpty()
                                ? "its documents are being opened"
                                : "its documents cannot be opened: " + trouble);
            }
        }
        var unused = open.get().documents().look(HEALTH);
        return Optional.empty();
    }

    GuardOptions options() {
        return options;
    }

    /**
     * The guard, once it is there. Blocks for a few seconds at most.
     *
     * @throws StoreException if its documents cannot be opened
     */
    public synchronized ConfiguredGuard guard() throws InterruptedException {
        if (!options.enabled()) {
            throw off("The guard is switched off on this server (guard.enabled)");
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (long left = PATIENCE.toMillis(); opened.isEmpty() && !over && left > 0; left = millisUntil(end)) {
            wait(left);
        }
        if (opened.isPresent()) {
            return opened.get().guard();
        }
        if (over) {
            throw off(trouble.isEmpty() ? "This server is stopping" : trouble);
        }
        throw new StoreUnavailableException(
                "The documents of the guard cannot be opened" + (trouble.isEmpty() ? " yet" : ": " + trouble),
                new IllegalStateException("not open"));
    }

    private static long millisUntil(long end) {
        return (end - System.nanoTime()) / 1_000_000;
    }

    private static Problem.Refused off(String why) {
        return Problem.refusal(503, "guard-off", why, OPEN_AGAIN);
    }

    // ---- opening

    private void open() {
        try {
            while (!tryOpen()) {
                Thread.sleep(OPEN_AGAIN.toMillis());
            }
        } catch (InterruptedException e) {
            LOG.debug("closed before it was open");
        } catch (
                RuntimeException e) { // nothing keeps documents there, or a file is wrong: asking again changes nothing
            LOG.warn("The guard is off until this server is started again: {}", e.getMessage());
            never(String.valueOf(e.getMessage()));
        }
    }

    private boolean tryOpen() {
        DocumentStore documents;
        try {
            // We wait ourselves, and tell callers meanwhile.
            documents = new WatchedDocuments(DocumentStores.open(store, Duration.ZERO), slow);
        } catch (StoreException e) {
            failed(String.valueOf(e.getMessage()));
            return false;
        }
        try {
            ready(new OpenGuard(
                    documents,
                    ConfiguredGuard.start(
                            options,
                            new ConfiguredGuard.Collaborators(
                                    locks, documents, actuators, Optional.of(options.usualActuator()), meter))));
        } catch (RuntimeException e) {
            documents.close();
            throw e;
        }
        return true;
    }

    private synchronized void failed(String why) {
        if (!why.equals(trouble) && !over) {
            LOG.warn("The guard cannot start yet, trying again: {}", why);
        }
        trouble = why;
    }

    private synchronized void never(String why) {
        trouble = why;
        over = true;
        notifyAll();
    }

    private synchronized void ready(OpenGuard now) {
        if (over) {
            now.close();
            return;
        }
        opened = Optional.of(now);
        notifyAll();
    }

    /** Ends its own work; another server, or the next start, goes on with what is stored. */
    @Override
    public void close() {
        Optional<OpenGuard> last;
        synchronized (this) {
            over = true;
            last = opened;
            opened = Optional.empty();
            notifyAll();
        }
        opening.interrupt();
        last.ifPresent(OpenGuard::close);
    }
}
