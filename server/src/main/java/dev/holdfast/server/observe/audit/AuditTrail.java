package dev.holdfast.server.observe.audit;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.model.Cause;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.observe.audit.AuditEntry.Action;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who did what, as far as this server knows. Three ways lead here:
 *
 * <ul>
 *   <li>events of locks, from the store ({@link #happened}), to which it adds who asked for them and from where if that was here;
 *   <li>what changes something that others see too ({@link #changed}): written into the history of the store, from where it comes back
 *       to every server's audit;
 *   <li>what concerns this server alone ({@link #record}, {@link #refused}): written to its own audit.
 * </ul>
 *
 * <p>Safe for any thread; nothing here blocks or throws.
 */
public final class AuditTrail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);

    /** Requests whose address is remembered until their event comes; a wait lasts up to a minute. */
    private static final int MAX_CALLERS = 20_000;

    private static final int LOOK_EVERY_SECONDS = 5;
    /** A note is kept with a lock: its texts are short. */
    private static final int MAX_NOTED = 500;

    private final Optional<AuditLog> log;
    private final LockEngine engine;
    private final Meters meters;
    private final Clock clock;
    private final RefusalLimit limit = new RefusalLimit(System::nanoTime);
    private final Map<Cause, AuditedCaller> callers = RecentMap.inOrderOfInsertion(MAX_CALLERS);
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("holdfast-audit-trail"));
    private final Future<?> looking;

    public AuditTrail(Optional<AuditLog> log, LockEngine engine, Meters meters, Clock clock) {
        this.log = log;
        this.engine = engine;
        this.meters = meters;
        this.clock = clock;
        this.looking = thread.scheduleWithFixedDelay(
                () -> limit.rests().forEach(this::told), LOOK_EVERY_SECONDS, LOOK_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    // ---- events of locks

    /** Somebody asks for something: events that follow from it are told with the address. */
    public void asked(AuditedCaller caller) {
        if (log.isPresent()) {
            synchronized (callers) {
                callers.put(new Cause(caller.principal(), caller.request()), caller);
            }
        }
    }

    /** Something happened to a lock. Written soon. */
    public void happened(StoredEvent event) {
        log.ifPresent(it -> it.accept(event, caller(event)));
    }

    /** The request's id alone would not do: callers choose it, and one must not put its address on another's deeds. */
    private Optional<AuditedCaller> caller(StoredEvent event) {
        String actor = event.event().actor();
        String request = event.event().request();
        if (request.isEmpty()) {
            return Optional.empty();
        }
        synchronized (callers) {
            AuditedCaller known = callers.get(new Cause(actor, request));
            return Optional.of(known == null ? new AuditedCaller(actor, "", request) : known);
        }
    }

    // ---- what others see too

    /**
     * Something was changed that all servers share: goes into the history of the store, and comes from there to the audit. If it cannot
     * be kept there, it is in this server's audit at least.
     *
     * @param type one that {@link EventType#isNote()}
     */
    public void changed(EventType type, RecordKey key, AuditedCaller caller, Map<String, String> details) {
        Map<String, String> noted = new HashMap<>();
        details.forEach((name, text) -> noted.put(name, plain(text)));
        String who = caller.principal().isEmpty() ? "server" : caller.principal();
        asked(caller);
        Note note = Note.of(type, who, "", noted);
        Cause cause = new Cause(caller.principal(), caller.request());
        var unused = CompletableFuture.completedFuture(note) // so that what the engine throws is a failure, too
                .thenCompose(it -> engine.remember(key, it, cause))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "An event {} of {} could not be kept in the history: {}",
                                type.label(),
                                key,
                                Causes.of(failure).toString());
                        record(new AuditEntry(type.label(), caller, AuditEntry.Outcome.DONE, key.toString(), details));
                    }
                });
    }

    private static String plain(String text) {
        String clean = text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
        return clean.length() <= MAX_NOTED ? clean : clean.substring(0, MAX_NOTED - 3) + "...";
    }

    // ---- what concerns this server alone

    public void record(AuditEntry entry) {
        log.ifPresent(it -> it.accept(entry, clock.instant()));
    }

    /** Whether nothing may be done that cannot be written: then {@link #recordFirst} comes before it. */
    public boolean isRequired() {
        return log.filter(AuditLog::isRequired).isPresent();
    }

    /** Writes this now; fails if it cannot be written. */
    public CompletableFuture<Void> recordFirst(AuditEntry entry) {
        return log.map(it -> it.writeFirst(entry, clock.instant()))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Somebody was refused. Counted always; written, and logged, as far as {@link RefusalLimit} allows.
     *
     * @param network what stands for all addresses of that client
     * @param detail what it was told
     */
    public void refused(AuditedCaller caller, String network, AccessRefusal why, String resource, String detail) {
        meters.refused(why);
        if (!limit.admits(new RefusalLimit.From(network, why))) {
            return;
        }
        record(new AuditEntry(
                Action.AUTH_REFUSED.label(),
                caller,
                AuditEntry.Outcome.REFUSED,
                resource,
                Map.of("reason", why.label(), "detail", detail)));
        LOG.atInfo()
                .addKeyValue("remote_addr", caller.address())
                .addKeyValue("principal", caller.principal())
                .addKeyValue("request_id", caller.request())
                .log("Refused ({}): {}: {}", why.label(), resource, detail);
    }

    private void told(RefusalLimit.From from, long count) {
        record(new AuditEntry(
                Action.AUTH_REFUSED.label(),
                new AuditedCaller("", from.network(), ""),
                AuditEntry.Outcome.REFUSED,
                "",
                Map.of(
                        "reason",
                        from.why().label(),
                        "count",
                        Long.toString(count),
                        "detail",
                        "more of the same within a minute, not written one by one")));
        LOG.info("Refused ({}): {} more from {} within a minute", from.why().label(), count, from.network());
    }

    /** Tells what was only counted; the log is closed by who opened it. */
    @Override
    public void close() {
        looking.cancel(false);
        thread.shutdownNow();
        limit.end().forEach(this::told);
    }
}
