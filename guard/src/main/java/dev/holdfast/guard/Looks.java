package dev.holdfast.guard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Looks at many apps at once, with one deadline for all, and counts who is down. */
final class Looks {
    /** A prober that is late by more than this is not waited for. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private final Prober prober;
    private final GuardConfig config;
    private final Clock clock;
    private final LongSupplier ticker;
    private final FailureWatch watch;
    private final Supplier<String> runs;

    Looks(Prober prober, GuardConfig config, Clock clock) {
        this(prober, config, clock, System::nanoTime, new FailureWatch(config.longestGap()), Looks::newRun);
    }

    Looks(
            Prober prober,
            GuardConfig config,
            Clock clock,
            LongSupplier ticker,
            FailureWatch watch,
            Supplier<String> runs) {
        this.prober = prober;
        this.config = config;
        this.clock = clock;
        this.ticker = ticker;
        this.watch = watch;
        this.runs = runs;
    }

    private static String newRun() {
        return UUID.randomUUID().toString();
    }

    /** Looks once at an app, where everybody can. Never fails. */
    CompletableFuture<Probed> one(App app) {
        return probe(app.url());
    }

    private CompletableFuture<Probed> probe(java.net.URI url) {
        CompletableFuture<Probed> probe;
        try {
            probe = prober.probe(url, config.quickStatusTimeout());
        } catch (RuntimeException e) { // it promises not to; a stop must not depend on that
            return CompletableFuture.completedFuture(unknown("the probe failed: " + e));
        }
        long limit = config.quickStatusTimeout().plus(GRACE).toMillis();
        return probe.copy()
                .exceptionally(e -> unknown("the probe failed: " + e))
                .completeOnTimeout(unknown("no answer in time"), limit, TimeUnit.MILLISECONDS);
    }

    /** Looks at all of them where they tell their health. Never fails; done within the timeout of one. */
    CompletableFuture<Map<String, Probed>> all(Collection<App> apps) {
        List<CompletableFuture<Probed>> probes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (App app : apps) {
            names.add(app.name());
            probes.add(probe(app.health().at(app.url())));
        }
        return CompletableFuture.allOf(probes.toArray(CompletableFuture[]::new)).thenApply(done -> {
            Map<String, Probed> found = new TreeMap<>();
            for (int i = 0; i < names.size(); i++) {
                found.put(names.get(i), probes.get(i).join());
            }
            return found;
        });
    }

    /**
     * What is known of each app.
     *
     * @param sightings one for each app
     * @param counts what to store so that the next look goes on counting
     * @param over stored runs of failures this look has ended
     */
    record Looked(List<Sighting> sightings, NavigableMap<String, Resource.Downs> counts, List<Resource.Downs> over) {
        List<Evidence> evidence() {
            return sightings.stream().map(Sighting::evidence).toList();
        }
    }

    /** What is known of each app now, with what was counted before. Who is seen down counts on, everybody else starts anew. */
    Looked count(Resource resource, Collection<App> apps, Map<String, Probed> probed) {
        Moment now = Moment.now(clock, ticker);
        List<Sighting> sightings = new ArrayList<>();
        NavigableMap<String, Resource.Downs> counts = new TreeMap<>();
        List<Resource.Downs> over = new ArrayList<>();
        for (App app : apps) {
            Optional<Resource.Downs> before =
                    Optional.ofNullable(resource.downs().get(app.name()));
            Sighting seen = sighting(app, probed, now.wall());
            if (seen.isDown()) {
                Resource.Downs downs = downs(before, now.wall());
                counts.put(app.name(), downs);
                seen = seen.counted(downs.count(), failingFor(resource, app, seen, downs, now));
            } else {
                watch.other(resource.id(), app.name());
                before.ifPresent(over::add);
            }
            sightings.add(seen);
        }
        return new Looked(sightings, counts, over);
    }

    private Sighting sighting(App app, Map<String, Probed> probed, Instant now) {
        Probed found = Optional.ofNullable(probed.get(app.name())).orElseGet(() -> unknown("not looked at"));
        Answer answer = app.health().read(found);
        boolean starting = app.isStarting(now) && answer != Answer.RUNS;
        Duration downAfter = app.health().downAfter().orElse(config.downAfter());
        return new Sighting(app.name(), app.desired(), starting, found, answer, 0, Duration.ZERO, downAfter);
    }

    /** Only failing counts: of an app that asked to stop, a refused connection says the same, of any other it does not. */
    private Duration failingFor(Resource resource, App app, Sighting seen, Resource.Downs downs, Moment now) {
        if (seen.answer() == Answer.FAILS) {
            return watch.failing(resource.id(), app, downs.run(), now);
        }
        watch.other(resource.id(), app.name());
        return Duration.ZERO;
    }

    private Resource.Downs downs(Optional<Resource.Downs> before, Instant now) {
        if (before.isEmpty()) {
            return new Resource.Downs(runs.get(), now, 1, now);
        }
        Resource.Downs last = before.get();
        if (last.at().plus(config.confirmationWindow()).isBefore(now)) {
            return new Resource.Downs(last.run(), now, 1, now); // what was seen long ago confirms nothing
        }
        if (last.at().plus(config.confirmationPause()).isAfter(now)) {
            return last; // two looks at the same moment are one
        }
        int count = Math.min(last.count() + 1, config.downConfirmations());
        return new Resource.Downs(last.run(), last.since(), count, now);
    }

    private Probed unknown(String detail) {
        return new Probed(Sight.UNKNOWN, OptionalInt.empty(), clock.instant(), detail);
    }
}
