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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Looks at many apps at once, with one deadline for all, and counts who is down. */
final class Looks {
    /** A prober that is late by more than this is not waited for. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private final Prober prober;
    private final GuardConfig config;
    private final Clock clock;

    Looks(Prober prober, GuardConfig config, Clock clock) {
        this.prober = prober;
        this.config = config;
        this.clock = clock;
    }

    /** Looks once at an app. Never fails. */
    CompletableFuture<Probed> one(App app) {
        CompletableFuture<Probed> probe;
        try {
            probe = prober.probe(app.url(), config.quickStatusTimeout());
        } catch (RuntimeException e) { // it promises not to; a stop must not depend on that
            return CompletableFuture.completedFuture(unknown("the probe failed: " + e));
        }
        long limit = config.quickStatusTimeout().plus(GRACE).toMillis();
        return probe.copy()
                .exceptionally(e -> unknown("the probe failed: " + e))
                .completeOnTimeout(unknown("no answer in time"), limit, TimeUnit.MILLISECONDS);
    }

    /** Looks at all of them. Never fails; done within the timeout of one. */
    CompletableFuture<Map<String, Probed>> all(Collection<App> apps) {
        List<CompletableFuture<Probed>> probes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (App app : apps) {
            names.add(app.name());
            probes.add(one(app));
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
     */
    record Looked(List<Sighting> sightings, NavigableMap<String, Resource.Downs> counts) {
        List<Evidence> evidence() {
            return sightings.stream().map(Sighting::evidence).toList();
        }
    }

    /** What is known of each app now, with what was counted before. Who is seen down counts on, everybody else starts anew. */
    Looked count(Collection<App> apps, Map<String, Probed> probed, Map<String, Resource.Downs> before) {
        Instant now = clock.instant();
        List<Sighting> sightings = new ArrayList<>();
        NavigableMap<String, Resource.Downs> counts = new TreeMap<>();
        for (App app : apps) {
            Probed found = Optional.ofNullable(probed.get(app.name())).orElseGet(() -> unknown("not looked at"));
            boolean starting = app.isStarting(now) && found.sight() != Sight.UP;
            Sighting seen = new Sighting(app.name(), app.desired(), starting, found, 1);
            if (seen.isDown()) {
                Resource.Downs downs = downs(Optional.ofNullable(before.get(app.name())), now);
                counts.put(app.name(), downs);
                seen = new Sighting(app.name(), app.desired(), starting, found, downs.count());
            }
            sightings.add(seen);
        }
        return new Looked(sightings, counts);
    }

    private Resource.Downs downs(Optional<Resource.Downs> before, Instant now) {
        if (before.isEmpty()
                || before.get().at().plus(config.confirmationWindow()).isBefore(now)) {
            return new Resource.Downs(1, now); // what was seen long ago confirms nothing
        }
        Resource.Downs last = before.get();
        if (last.at().plus(config.confirmationPause()).isAfter(now)) {
            return last; // two looks at the same moment are one
        }
        return new Resource.Downs(Math.min(last.count() + 1, config.downConfirmations()), now);
    }

    private Probed unknown(String detail) {
        return new Probed(Sight.UNKNOWN, OptionalInt.empty(), clock.instant(), detail);
    }
}
