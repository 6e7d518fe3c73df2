package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.guard.rules.AppObservations;
import dev.holdfast.guard.rules.HealthReading;
import java.net.URI;
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
record AppProbes(
        Prober prober,
        GuardConfig config,
        Clock clock,
        LongSupplier ticker,
        FailureTimes failures,
        Supplier<String> runs,
        AnswerMemory memory) {
    /** A prober that is late by more than this is not waited for. */
    private static final Duration GRACE = Duration.ofMillis(250);

    static AppProbes of(Prober prober, GuardConfig config, Clock clock) {
        return new AppProbes(
                prober,
                config,
                clock,
                System::nanoTime,
                new FailureWatch(config.longestGap()),
                () -> UUID.randomUUID().toString(),
                new AnswerMemory(config.confirmationPause()));
    }

    /** The same for looks that do not count: how long apps have failed is known, and is not changed by them. */
    AppProbes notCounting() {
        return new AppProbes(prober, config, clock, ticker, failures.onlyTold(), runs, memory);
    }

    /** Looks once at an app, where everybody can. Never fails. */
    CompletableFuture<QuickStatus> one(App app) {
        boolean health = app.health().at(app.url()).equals(app.url());
        return probe(app.url()).thenApply(seen -> {
            if (health) { // elsewhere it says nothing about the answers that count
                memory.answered(app, seen);
            }
            return new QuickStatus(app.name(), word(seen.status()), seen.httpCode(), seen.at());
        });
    }

    private static QuickStatus.Word word(ProbeStatus status) {
        return switch (status) {
            case UP -> QuickStatus.Word.UP;
            case DOWN -> QuickStatus.Word.DOWN;
            case REFUSED, UNKNOWN ->
                QuickStatus.Word.UNKNOWN; // a refused connection may be a restart, or the wrong host
        };
    }

    private CompletableFuture<ProbeResult> probe(URI url) {
        CompletableFuture<ProbeResult> probe;
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
    CompletableFuture<Map<String, ProbeResult>> all(Collection<App> apps) {
        Map<String, CompletableFuture<ProbeResult>> probes = new TreeMap<>();
        apps.forEach(app -> probes.put(app.name(), probe(app.health().at(app.url()))));
        return CompletableFuture.allOf(probes.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<String, ProbeResult> found = new TreeMap<>();
                    probes.forEach((app, probe) -> found.put(app, probe.join()));
                    apps.forEach(app ->
                            Optional.ofNullable(found.get(app.name())).ifPresent(seen -> memory.answered(app, seen)));
                    return found;
                });
    }

    /** What is known of each app now, with what was counted before. Who is seen down counts on, everybody else starts anew. */
    AppObservations count(ResourceRecord resource, Collection<App> apps, Map<String, ProbeResult> probed) {
        ClockReading now = ClockReading.now(clock, ticker);
        List<AppObservation> sightings = new ArrayList<>();
        NavigableMap<String, ResourceRecord.Downs> counts = new TreeMap<>();
        List<ResourceRecord.Downs> over = new ArrayList<>();
        for (App app : apps) {
            Optional<ResourceRecord.Downs> before =
                    Optional.ofNullable(resource.downs().get(app.name()));
            AppObservation seen = sighting(app, probed, now.wall());
            if (seen.isDown()) {
                ResourceRecord.Downs downs = downs(before, now.wall());
                counts.put(app.name(), downs);
                seen = seen.counted(downs.count(), failingFor(resource, app, seen, downs, now));
            } else {
                failures.other(resource.id(), app.name());
                before.ifPresent(over::add);
            }
            sightings.add(seen);
        }
        return new AppObservations(sightings, counts, over);
    }

    private AppObservation sighting(App app, Map<String, ProbeResult> probed, Instant now) {
        ProbeResult found = Optional.ofNullable(probed.get(app.name())).orElseGet(() -> unknown("not looked at"));
        HealthReading answer = HealthReading.of(found, app.health());
        boolean starting = app.isStarting(now) && answer != HealthReading.RUNS;
        Duration downAfter = app.health().downAfter().orElse(config.downAfter());
        return new AppObservation(app.name(), app.desired(), starting, found, answer, 0, Duration.ZERO, downAfter);
    }

    /** Only failing counts: of an app that asked to stop, a refused connection says the same, of any other it does not. */
    private Duration failingFor(
            ResourceRecord resource, App app, AppObservation seen, ResourceRecord.Downs downs, ClockReading now) {
        if (seen.answer() == HealthReading.FAILS) {
            return failures.failing(resource.id(), app, downs.run(), now);
        }
        failures.other(resource.id(), app.name());
        return Duration.ZERO;
    }

    private ResourceRecord.Downs downs(Optional<ResourceRecord.Downs> before, Instant now) {
        if (before.isEmpty()) {
            return new ResourceRecord.Downs(runs.get(), now, 1, now);
        }
        ResourceRecord.Downs last = before.get();
        if (last.at().plus(config.confirmationWindow()).isBefore(now)) {
            return new ResourceRecord.Downs(last.run(), now, 1, now); // what was seen long ago confirms nothing
        }
        if (last.at().plus(config.confirmationPause()).isAfter(now)) {
            return last; // two looks at the same moment are one
        }
        int count = Math.min(last.count() + 1, config.downConfirmations());
        return new ResourceRecord.Downs(last.run(), last.since(), count, now);
    }

    private ProbeResult unknown(String detail) {
        return new ProbeResult(ProbeStatus.UNKNOWN, OptionalInt.empty(), clock.instant(), detail);
    }
}
