package dev.holdfast.server.observe.metrics;

import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.micrometer.DurationBuckets;
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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

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

    private static final Pattern MAX_HELP = Pattern.compile("(?m)^# HELP (\\S+)_max (.*)$");

    private static final int MAX_DATABASES = 200;
    private static final List<String> DECISIONS = List.of(
            "stopped", "started", "pending", "skipped_shared_active", "skipped_unknown", "skipped_lock", "needed");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("holdfast-metrics"));
    private final LegacyNames legacy;
    private final String buildInfo;
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Census census;
    private final Future<?> counting;
    private final LockTimers locks;
    private final DeployerMeters deployer = new DeployerMeters(registry);
    private final StoreMeters store;
    private final HttpTimers http = new HttpTimers(registry);
    private final NotifyMeters notifications = new NotifyMeters(registry);
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

    public Meters(MetersConfig config, GaugeSources vitals) {
        legacy = new LegacyNames(config.legacyNames());
        buildInfo = buildInfo(config.version());
        census = new Census(vitals.counts(), System::nanoTime, config.countRest());
        locks = new LockTimers(registry, config);
        store = new StoreMeters(registry, vitals.eventsLost());
        waited = Timer.builder("holdfast.lock.wait.duration")
                .description("How long callers waited in the queue before they were granted the lock")
                .serviceLevelObjectives(DurationBuckets.array(DurationBuckets.HOLDS))
                .register(registry);
        retries = counter(
                "holdfast.store.retries", "Commands tried again because another writer was faster or the store failed");
        guardRetries = DistributionSummary.builder("holdfast.lock.acquire.retries")
                .description("Retries the guard needed until it had the lock of a database, or gave up")
                .serviceLevelObjectives(0.5, 1, 2, 3, 5, 10, 100)
                .register(registry);
        forced = counter("holdfast.lock.forced", "Holds ended by an operator");
        losses = each(
                Loss.class, "holdfast.lock.lost", "Holds that ended without being released by their holder", "reason");
        renewals = each(RenewalOutcome.class, "holdfast.lock.renewals", "Renewals of locks, by outcome", "outcome");
        releases = each(ReleaseOutcome.class, "holdfast.lock.releases", "Releases of locks, by outcome", "outcome");
        rejections = each(
                Rejection.class,
                "holdfast.server.rejected",
                "Requests rejected before they reached a lock, by reason",
                "reason");
        refusals = each(
                AccessRefusal.class,
                "holdfast.auth.refused",
                "Requests refused because of who called: not identified, or without the role",
                "reason");
        String about = "Decisions of the guard about databases, by decision";
        DECISIONS.forEach(it -> decisions.put(it, counter("holdfast.guard.decisions", about, "decision", it)));
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
        deployer.acquired(key.record(), key.path(), outcome, took);
    }

    /** A renewal was answered. The path is that of the hold where it is known. */
    public void renewed(LockKey key, RenewalOutcome outcome) {
        renewals.of(outcome).increment();
        deployer.renewed(key.record(), key.path(), outcome);
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

    public void refused(AccessRefusal why) {
        refusals.of(why).increment();
    }

    public void databaseStop(String identifier, DatabaseStop decision) {
        databaseStops.of(identifier).of(decision).increment();
    }

    /** The guard asked for the lock of a database, this often again. */
    public void guardLockAsked(int retries) {
        guardRetries.record(retries);
    }

    public void decided(String decision) {
        Counter counter = decisions.get(decision);
        if (counter != null) {
            counter.increment();
        }
    }

    public NotifyMeters notifications() {
        return notifications;
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
            case STALE -> deployer.stale(event.key(), path(event));
            default -> {} // the count of waiters shows those who queue; the others are of no lock
        }
    }

    private void ended(LockEvent event) {
        locks.ended(event.key(), event.lasted());
        deployer.ended(event.key(), path(event), event.lasted());
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
                .thenApplyAsync(fresh -> legacy.added(buildInfo + text()), thread);
    }

    /** The library describes the greatest value of something like the thing itself. */
    private String text() {
        return MAX_HELP.matcher(registry.scrape())
                .replaceAll("# HELP $1_max The greatest value of the last two minutes. $2");
    }

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

    /** Written by hand: the library takes a name that ends in {@code _info} for one of its own kinds, and cuts it. */
    private static String buildInfo(String version) {
        String java = System.getProperty("java.version", "");
        return "# HELP holdfast_build_info The version of Holdfast and of the Java it runs on; always 1\n"
                + "# TYPE holdfast_build_info gauge\n"
                + "holdfast_build_info{java=\"" + label(java) + "\",version=\"" + label(version) + "\"} 1\n";
    }

    private static String label(String value) {
        return value.replaceAll("[^A-Za-z0-9._+-]", "_");
    }

    private void gauges(GaugeSources vitals) {
        gauge("holdfast.lock.active", "Holds at the store, at the last count", () -> census.value(Counts::active));
        gauge(
                "holdfast.lock.waiters",
                "Callers in queues at the store, at the last count",
                () -> census.value(Counts::waiters));
        gauge(
                "holdfast.lock.stale",
                "Stale holds at the store, at the last count: not renewed for suspiciously long",
                () -> census.value(Counts::stale));
        gauge(
                "holdfast.lock.count.complete",
                "1 if the last count saw everything, 0 if there was more than its limit",
                () -> census.value(counts -> counts.complete() ? 1 : 0));
        seconds("holdfast.lock.count.age", "Time since the last count of holds and waiters", census::age);
        seconds("holdfast.store.clock.error", "How far the store's clock may be off", vitals.clockError()::getAsDouble);
        gauge(
                "holdfast.events.clients",
                "Clients that read the stream of events now",
                vitals.eventClients()::getAsLong);
        gauge("holdfast.server.connections", "Open HTTP connections", vitals.connections()::getAsLong);
        String room = "Bytes left on the disk of the embedded store; NaN with another store";
        measured("holdfast.store.disk.free", room, vitals.diskFree()::getAsDouble)
                .baseUnit("bytes")
                .register(registry);
        seconds(
                "holdfast.tls.certificate.expiry.timestamp",
                "When the server's certificate ends, in seconds since 1970; NaN without TLS",
                vitals.certificateEnds()::getAsDouble);
        FunctionCounter.builder(
                        "holdfast.audit.lost", vitals, it -> it.auditLost().getAsLong())
                .description("Audit lines that could not be written")
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        measured(name, description, value).register(registry);
    }

    private void seconds(String name, String description, Supplier<Number> value) {
        measured(name, description, value).baseUnit("seconds").register(registry);
    }

    private static Gauge.Builder<Supplier<Number>> measured(String name, String description, Supplier<Number> value) {
        return Gauge.builder(name, value).description(description).strongReference(true);
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
                        "holdfast.db.stop." + decision,
                        DatabaseStop.valueOf(decision.toUpperCase(Locale.ROOT)).help(),
                        "db_identifier",
                        identifier));
    }
}
