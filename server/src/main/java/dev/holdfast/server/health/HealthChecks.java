package dev.holdfast.server.health;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.health.HealthPart.Name;
import dev.holdfast.server.observe.load.StoreOutcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How this server stands. What asks the store is found when somebody wants to know, once for all who ask at the same time; what can be
 * seen without asking anybody is looked at once a second, and written into the log when it changes. Safe for any thread.
 */
public final class HealthChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthChecks.class);
    /** An answer this young is good for everybody who asks: a crowd of probes is one to the store. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** A disk that does not tell for so long how full it is does not work. */
    private static final long SILENT_NANOS = Duration.ofSeconds(15).toNanos();

    private final Subjects subjects;
    private final StoreCheck store;
    private final PartProbe state;
    private final PartProbe guard;
    private final PartProbe history;
    private final Outages outages = new Outages(System::nanoTime);
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("holdfast-health"));
    private final ExecutorService trials =
            Executors.newFixedThreadPool(2, DaemonThreads.named("holdfast-health-trial"));
    private volatile LocalParts seen;
    private @Nullable Look last; // guarded by this

    /**
     * What there is to look at.
     *
     * @param clockError how far the store's clock may be off, in seconds, without asking it; NaN when unknown
     * @param state tries state; may block
     * @param guard tries the guard; may block
     * @param notReady why the server wants no requests, whatever its parts say
     */
    public record Subjects(
            LockEngine engine,
            String node,
            String store,
            HealthBounds bounds,
            WriteTrials trials,
            DiskCheck disk,
            CertificateCheck certificate,
            DoubleSupplier clockError,
            StoreOutcomes outcomes,
            Supplier<HealthPart> state,
            Supplier<HealthPart> guard,
            Supplier<CompletableFuture<HealthPart>> history,
            Supplier<Optional<String>> notReady) {}

    private record Look(long at, CompletableFuture<HealthAnswer> standing) {}

    private record LocalParts(long at, HealthPart disk, HealthPart certificate) {}

    public HealthChecks(Subjects subjects) {
        this.subjects = subjects;
        this.store = new StoreCheck(
                subjects.engine(), subjects.node(), subjects.bounds(), subjects.trials(), System::nanoTime);
        this.state = probe(Name.STATE, () -> CompletableFuture.supplyAsync(subjects.state(), trials));
        this.guard = probe(Name.GUARD, () -> CompletableFuture.supplyAsync(subjects.guard(), trials));
        this.history = probe(Name.HISTORY, subjects.history());
        this.seen = look();
    }

    private PartProbe probe(Name name, Supplier<CompletableFuture<HealthPart>> attempt) {
        return new PartProbe(name, attempt, subjects.trials().rest(), System::nanoTime);
    }

    /** Looks once a second from now on; {@code besides} is done then, too. */
    public void start(Runnable besides) {
        var unused =
                timer.scheduleWithFixedDelay(() -> watch(besides), 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void watch(Runnable besides) {
        try {
            seen = look();
            store.notice();
            outages.see(known());
            besides.run();
        } catch (RuntimeException e) { // the next look must come all the same
            LOG.error("The health of this server could not be checked; please report this", e);
        }
    }

    private LocalParts look() {
        return new LocalParts(
                System.nanoTime(),
                subjects.disk().look(),
                subjects.certificate().look());
    }

    private List<HealthPart> known() {
        double error = subjects.clockError().getAsDouble();
        boolean late = error * 1e9 > subjects.bounds().maxClockError().toNanos();
        return List.of(
                subjects.outcomes().failing().isEmpty()
                        ? HealthPart.up(Name.STORE, "")
                        : HealthPart.down(Name.STORE, "it did not answer the last request"),
                subjects.engine()
                        .writeFailure()
                        .map(failure -> HealthPart.down(Name.WRITES, String.valueOf(failure.getMessage())))
                        .orElseGet(() -> HealthPart.up(Name.WRITES, "")),
                late
                        ? HealthPart.down(Name.CLOCK, "its time is known only within " + Math.round(error) + " s")
                        : HealthPart.up(Name.CLOCK, ""),
                seen.disk(),
                seen.certificate(),
                state.known(),
                guard.known(),
                history.known());
    }

    /**
     * How a server stands.
     *
     * @param reason why it wants no requests; empty if it does
     * @param storeMillis how long the store took to answer; empty if it did not
     * @param clockErrorMillis how exactly its time is known; empty if it is not
     */
    public record HealthAnswer(
            Optional<String> reason,
            String node,
            String store,
            List<HealthPart> parts,
            Optional<Double> storeMillis,
            Optional<Double> clockErrorMillis) {
        private HealthAnswer notReady(Optional<String> why) {
            return new HealthAnswer(why.or(() -> reason), node, store, parts, storeMillis, clockErrorMillis);
        }
    }

    /** How it stands now, or stood a moment ago; never fails. */
    public CompletableFuture<HealthAnswer> standing() {
        CompletableFuture<HealthAnswer> found;
        synchronized (this) {
            long now = System.nanoTime();
            if (last == null || now - last.at() > FRESH_NANOS) {
                last = new Look(now, ask());
            }
            found = last.standing();
        }
        return found.thenApply(standing -> standing.notReady(subjects.notReady().get()));
    }

    /** How state stands; never fails, and answers soon. */
    public CompletableFuture<HealthPart> state() {
        return state.look();
    }

    private CompletableFuture<HealthAnswer> ask() {
        CompletableFuture<StoreCheck.StoreReading> found = store.look();
        CompletableFuture<List<HealthPart>> others = state.look()
                .thenCombine(guard.look(), List::of)
                .thenCombine(history.look(), (two, third) -> List.of(two.get(0), two.get(1), third));
        return found.thenCombine(others, this::standing);
    }

    private HealthAnswer standing(StoreCheck.StoreReading found, List<HealthPart> others) {
        List<HealthPart> parts = new ArrayList<>(found.parts());
        LocalParts now = seen;
        parts.add(
                System.nanoTime() - now.at() > SILENT_NANOS
                        ? HealthPart.down(Name.DISK, "the disk does not tell how full it is")
                        : now.disk());
        parts.add(now.certificate());
        parts.addAll(others);
        parts.sort(Comparator.comparing(HealthPart::name));
        Optional<String> reason = parts.stream()
                .filter(part -> part.isDown() && part.name().isDecisive())
                .findFirst()
                .map(HealthPart::detail);
        return new HealthAnswer(
                reason,
                subjects.node(),
                subjects.store(),
                List.copyOf(parts),
                found.storeMillis(),
                found.clockErrorMillis());
    }

    @Override
    public void close() {
        timer.shutdownNow();
        trials.shutdownNow();
    }
}
