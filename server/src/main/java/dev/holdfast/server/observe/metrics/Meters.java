package dev.holdfast.server.observe.metrics;

import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The metrics of one server: told by the engine and by the edge what happens, and shown to Prometheus.
 *
 * <p>Every metric is there from the start, with zero. The number of label values is bounded, whatever callers send. All
 * methods are safe for any thread, do not block and do not throw; those that are told something cost well under a microsecond.
 */
public final class Meters implements EngineMeter, AutoCloseable {
    /** How often the locks in use are counted when nobody scrapes. */
    private static final Duration COUNT_EVERY = Duration.ofSeconds(15);
    /** How long a scrape waits for a new count; then it shows the old one. */
    private static final Duration SCRAPE_WAIT = Duration.ofSeconds(2);

    private static final int MAX_DATABASES = 200;
    private static final List<String> DECISIONS = List.of(
            "stopped", "started", "pending", "skipped_shared_active", "skipped_unknown", "skipped_lock", "needed");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "holdfast-metrics");
        made.setDaemon(true);
        return made;
    });
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Census census;
    private final Future<?> counting;
    private final LockTimers locks;
    private final DeployerMeters deployer = new DeployerMeters(registry);
    private final StoreMeters store;
    private final HttpTimers http = new HttpTimers(registry);
    private final Timer waited;
    private final Counter retries;
    private final DistributionSummary guardRetries;
    private final Counter forced;
    private final MeterPerConstant<Loss, Counter> losses;
    private final MeterPerConstant<RenewalOutcome, Counter> renewals;
    private final MeterPerConstant<ReleaseOutcome, Counter> releases;
    private final MeterPerConstant<Rejection, Counter> rejections;
    private final MeterPerConstant<AccessRefusal, Counter> refusals;
    private final Map<String, Counter> decisions = new HashMap<>();
    private final BoundedLabels<String, MeterPerConstant<DatabaseStop, Counter>> databaseStops;

    /** How a hold can end against the will of its holder. */
    private enum Loss {
        EXPIRED,
        FORCED,
        /** By its own engine: it could not be renewed, or its caller could not be told. */
        GIVEN_UP
    }

    /** Registers everything and starts to count the locks in use. */
    public Meters(MetersConfig config, Vitals vitals) {
        census = new Census(vitals.counts(), System::nanoTime, config.countRest());
        locks = new LockTimers(registry, config);
        store = new StoreMeters(registry, vitals.eventsLost());
        waited = Timer.builder("lock.wait.duration")
                .description("How long those waited in the queue that were granted the lock")
                .register(registry);
        retries = counter("store.retries", "Commands tried again: another writer was faster, or the store failed");
        guardRetries = DistributionSummary.builder("lock.acquire.retries")
                .description("Retries it took until the guard had the lock of a database, or gave up")
                .serviceLevelObjectives(0.5, 1, 2, 3, 5, 10, 100)
                .register(registry);
        forced = counter("lock.forced", "Holds ended by an operator");
        losses = each(Loss.class, "lock.lost", "Holds that ended without a release by their holder", "reason");
        renewals = each(RenewalOutcome.class, "lock.renewals", "Renewals", "outcome");
        releases = each(ReleaseOutcome.class, "lock.releases", "Releases", "outcome");
        rejections =
                each(Rejection.class, "server.rejected", "Requests turned away before they reached a lock", "reason");
        refusals = each(
                AccessRefusal.class,
                "auth.refused",
                "Callers that were not let in, or not allowed to do that",
                "reason");
        for (String decision : DECISIONS) {
            decisions.put(
                    decision,
                    counter("guard.decisions", "What was decided about shared resources", "decision", decision));
        }
        databaseStops = new BoundedLabels<>(MAX_DATABASES, "other", this::databaseCounters);
        databaseStops.of("none");
        gauges(vitals);
        thread.execute(this::bindProcess); // finding the JVM's beans takes a while, and the start must not wait for it
        counting = thread.scheduleWithFixedDelay(census::refresh, 0, COUNT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    // ---- told by the edge

    /** An attempt to acquire was answered, this long after the request had come. */
    public void acquired(LockKey key, AcquireOutcome outcome, Duration took) {
        locks.acquired(key.record(), outcome, took);
        if (outcome != AcquireOutcome.BUSY) {
            census.changed(); // the engine may tell only after the caller was answered, and the caller may scrape
        }
        if (DeployLockName.isDeploy(key.record())) {
            deployer.acquired(key.record(), key.path(), outcome, took);
        }
    }

    /** A renewal was answered. The path is that of the hold where it is known. */
    public void renewed(LockKey key, RenewalOutcome outcome) {
        renewals.of(outcome).increment();
        if (DeployLockName.isDeploy(key.record())) {
            deployer.renewed(key.record(), key.path(), outcome);
        }
    }

    public void released(ReleaseOutcome outcome) {
        releases.of(outcome).increment();
        census.changed();
    }

    /** A request was answered. The route is the template, such as {@code /v1/{namespace}/lock/{name}}, never the path. */
    public void request(String route, String method, int status, Duration took) {
        http.request(route, method, status, took);
        switch (status) {
            case 401, 403 -> rejected(Rejection.AUTH);
            case 413, 414, 431 -> rejected(Rejection.SIZE);
            default -> {}
        }
    }

    public void rejected(Rejection why) {
        rejections.of(why).increment();
    }

    /** Somebody was not let in, or not allowed to do what was asked. */
    public void refused(AccessRefusal why) {
        refusals.of(why).increment();
    }

    /** It was decided whether to stop a database. */
    public void databaseStop(String identifier, DatabaseStop decision) {
        databaseStops.of(identifier).of(decision).increment();
    }

    /** The guard asked for the lock of a database, this often again. */
    public void guardLockAsked(int retries) {
        guardRetries.record(retries);
    }

    /** Something was decided about a shared resource. */
    public void decided(String decision) {
        Counter counter = decisions.get(decision);
        if (counter != null) {
            counter.increment();
        }
    }

    // ---- told by the engine

    @Override
    public void stored(Operation operation, int rows, Duration took, boolean failed) {
        store.stored(operation, rows, took, failed);
    }

    @Override
    public void retried(RecordKey key) {
        retries.increment();
    }

    @Override
    public void happened(List<LockEvent> events) {
        census.changed();
        for (LockEvent event : events) {
            happened(event);
        }
    }

    private void happened(LockEvent event) {
        switch (event.type()) {
            case ACQUIRED -> {
                if (!event.lasted().isZero()) {
                    waited.record(event.lasted());
                }
            }
            case RELEASED -> ended(event);
            case EXPIRED -> {
                losses.of(Loss.EXPIRED).increment();
                ended(event);
            }
            case LOST -> {
                losses.of(Loss.GIVEN_UP).increment();
                ended(event);
            }
            case FORCED -> {
                forced.increment();
                losses.of(Loss.FORCED).increment();
                ended(event);
            }
            case STALE -> {
                if (DeployLockName.isDeploy(event.key())) {
                    deployer.stale(event.key(), path(event));
                }
            }
            case QUEUED, ABANDONED -> {} // the count of waiters shows them
            case STATE_SAVED,
                    STATE_REFUSED,
                    STATE_RESTORED,
                    STATE_DELETED,
                    GUARD_DECISION,
                    GUARD_REGISTERED,
                    GUARD_UNREGISTERED,
                    GUARD_STOP,
                    GUARD_START,
                    TOKEN_CREATED,
                    TOKEN_REVOKED,
                    CLEANUP_DONE -> {} // of no lock
        }
    }

    private void ended(LockEvent event) {
        locks.ended(event.key(), event.lasted());
        if (DeployLockName.isDeploy(event.key())) {
            deployer.ended(event.key(), path(event), event.lasted());
        }
    }

    private static LockPath path(LockEvent event) {
        return event.scope().paths().get(0);
    }

    // ---- shown

    /**
     * All metrics in Prometheus' text format. Counts the locks in use first if the last count is not fresh, so it may take as
     * long as the store takes, at most two seconds. Completes on a thread of its own.
     */
    public CompletionStage<String> scrape() {
        return census.fresh()
                .copy()
                .completeOnTimeout(null, SCRAPE_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .thenApplyAsync(fresh -> registry.scrape(), thread);
    }

    /** The content type of what {@link #scrape()} gives. */
    public static String contentType() {
        return "text/plain; version=0.0.4; charset=utf-8";
    }

    @Override
    public void close() {
        counting.cancel(false);
        thread.shutdownNow();
        collections.close();
        registry.close();
    }

    MeterRegistry registry() {
        return registry;
    }

    // ---- registered

    /** The process itself: memory, collections, threads, processor, files, age. */
    private void bindProcess() {
        List.of(
                        new JvmMemoryMetrics(),
                        collections,
                        new JvmThreadMetrics(),
                        new ProcessorMetrics(),
                        new FileDescriptorMetrics(),
                        new UptimeMetrics())
                .forEach(binder -> binder.bindTo(registry));
    }

    private void gauges(Vitals vitals) {
        gauge("lock.active", "Holds at the store, at the last count", () -> census.value(Counts::active));
        gauge("lock.waiters", "Places in queues at the store, at the last count", () -> census.value(Counts::waiters));
        gauge("lock.stale", "Holds not renewed for suspiciously long", () -> census.value(Counts::stale));
        gauge(
                "lock.count.complete",
                "1 if the last count saw everything, 0 if there was more than its limit",
                () -> census.value(counts -> counts.complete() ? 1 : 0));
        seconds("lock.count.age", "Time since the last count of holds and waiters", census::age);
        seconds("store.clock.error", "How far the store's clock may be off", vitals.clockError()::getAsDouble);
        gauge("events.clients", "Clients that listen to events", vitals.eventClients()::getAsLong);
        gauge("server.connections", "Open connections", vitals.connections()::getAsLong);
        FunctionCounter.builder("audit.lost", vitals, it -> it.auditLost().getAsLong())
                .description("Audit lines that could not be written")
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private void seconds(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private <E extends Enum<E>> MeterPerConstant<E, Counter> each(
            Class<E> kinds, String name, String description, String label) {
        return new MeterPerConstant<>(kinds, kind -> counter(name, description, label, kind));
    }

    private MeterPerConstant<DatabaseStop, Counter> databaseCounters(String identifier) {
        return new MeterPerConstant<>(
                DatabaseStop.class,
                decision -> counter(
                        "db.stop." + decision, "Decisions about stopping a database", "db_identifier", identifier));
    }
}
