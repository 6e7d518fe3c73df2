package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.registry.Registry;
import dev.holdfast.guard.resource.DocumentVersion;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.resource.Topology;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again, every interval and when told to, at what is unfinished: intended stops, resources in transition, apps that start.
 * Any number of them may run on the same documents; the lock of a resource decides who works on it.
 */
final class Reconciler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    /** Resources looked at together: their probes run at the same time. */
    private static final int BATCH = 100;
    /** Resources worked on at the same time: actuators may take minutes. */
    private static final int WORKERS = 8;

    private final GuardContext context;
    private final Judge judge;
    private final Registry registry;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("guard-reconciler"));
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS, DaemonThreads.named("guard-work"));
    private volatile boolean started;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    Reconciler(GuardContext context, Judge judge, Registry registry) {
        this.context = context;
        this.judge = judge;
        this.registry = registry;
    }

    void start() {
        started = true;
        long every = context.config().interval().toMillis();
        var unused = timer.scheduleWithFixedDelay(this::pass, every, every, TimeUnit.MILLISECONDS);
    }

    void soon(String id, Duration delay) {
        if (!started) {
            return;
        }
        try {
            var unused = timer.schedule(() -> work(id), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed: another guard, or the next start, goes on with {}", id);
        }
    }

    private void pass() {
        try {
            look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | RuntimeException e) { // a store that fails now may work at the next interval
            LOG.warn(
                    "Unfinished stops and starts could not be checked; the next attempt is in {}: {}",
                    context.config().interval(),
                    e.toString());
        }
    }

    /** Looks once at everything with something to do, and works on what that is worth. */
    void look() throws InterruptedException, ExecutionException {
        Set<String> due = new TreeSet<>(context.documents().watchedResources());
        Map<String, App> apps = context.documents().apps();
        for (App app : apps.values()) {
            if (app.leaving()) {
                forget(app.name());
            }
        }
        boolean starting = apps.values().stream()
                .anyMatch(app -> app.isStarting(context.clock().instant()));
        if (due.isEmpty() && !starting) {
            return;
        }
        Topology topology = Topology.of(apps.values());
        due.addAll(stoppedUnderStarting(apps, topology));
        List<String> all = List.copyOf(due);
        for (int from = 0; from < all.size(); from += BATCH) {
            look(all.subList(from, Math.min(from + BATCH, all.size())), apps, topology);
        }
    }

    private void forget(String app) throws InterruptedException {
        try {
            registry.forget(app);
        } catch (RuntimeException e) { // one damaged document must not keep the others waiting
            LOG.warn("App {} was unregistered and could not be forgotten yet: {}", app, e.toString());
        }
    }

    /** Stopped, though an app that uses it was told to start: whoever was told died before it could do it. */
    private List<String> stoppedUnderStarting(Map<String, App> apps, Topology topology) {
        Instant now = context.clock().instant();
        return apps.values().stream()
                .filter(app -> app.isStarting(now))
                .flatMap(app -> topology.unitsOf(app.name()).stream())
                .filter(id -> readable(id)
                        .filter(stored -> stored.value().state() == ResourceState.STOPPED)
                        .isPresent())
                .toList();
    }

    private Optional<DocumentVersion<ResourceRecord>> readable(String id) {
        try {
            return Optional.of(context.documents().resource(id));
        } catch (StoreUnusableException e) { // one damaged document must not keep the others waiting
            LOG.warn("Resource {} cannot be checked: {}", id, e.getMessage());
            return Optional.empty();
        }
    }

    private void look(List<String> batch, Map<String, App> apps, Topology topology)
            throws InterruptedException, ExecutionException {
        List<ResourceSnapshot> snapshots = new ArrayList<>();
        for (String id : batch) {
            Optional<DocumentVersion<ResourceRecord>> stored = underWay.contains(id) ? Optional.empty() : readable(id);
            stored.map(found -> ResourceSnapshot.of(found, topology.unit(id), apps))
                    .ifPresent(snapshots::add);
        }
        List<CompletableFuture<Map<String, ProbeResult>>> probes = snapshots.stream()
                .map(snapshot -> judge.dependsOnApps(snapshot)
                        ? context.probes().all(snapshot.apps())
                        : CompletableFuture.completedFuture(Map.<String, ProbeResult>of()))
                .toList();
        for (int i = 0; i < snapshots.size(); i++) {
            Map<String, ProbeResult> probed = probes.get(i).get();
            ResourceSnapshot snapshot = snapshots.get(i);
            if (!judge.dependsOnApps(snapshot) || judge.isWorthwhile(snapshot, probed)) {
                work(snapshot.resource().id());
            }
        }
    }

    private void work(String id) {
        if (!underWay.add(id)) {
            return;
        }
        try {
            workers.execute(() -> judged(id));
        } catch (RejectedExecutionException e) {
            underWay.remove(id);
        }
    }

    private void judged(String id) {
        try {
            Optional<GuardDecision> decision = judge.again(id);
            if (decision.isEmpty()) {
                judge.observe(id);
            } else if (decision.get().outcome() == GuardOutcome.PENDING
                    && isConfirming(context.documents().resource(id).value())) {
                soon(id, context.config().confirmationPause().plusMillis(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // stored as it is; the next interval tries again
            LOG.warn(
                    "Resource {} could not be judged; the next attempt is in {}: {}",
                    id,
                    context.config().interval(),
                    e.toString());
        } finally {
            underWay.remove(id);
        }
    }

    /** Only another look is missing. */
    private boolean isConfirming(ResourceRecord resource) {
        return resource.state() != ResourceState.STOPPING
                && resource.downs().values().stream()
                        .anyMatch(downs -> downs.count() < context.config().downConfirmations());
    }

    /** What is under way is interrupted where it can be; whoever comes next reads back what came of it. */
    @Override
    public void close() {
        timer.shutdownNow();
        WorkThreads.end(workers);
    }
}
