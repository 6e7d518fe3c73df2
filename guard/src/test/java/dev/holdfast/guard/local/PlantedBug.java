package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.resource.DocumentVersion;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.guard.rules.AppObservations;
import dev.holdfast.guard.rules.HealthReading;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.guard.rules.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Mistakes somebody could make in the guard, which a {@link Simulation} must notice. */
enum PlantedBug {
    NONE,
    /** An app that nobody asked to stop is down after two looks. */
    NO_DOWN_AFTER {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return sightings(
                    right, seen -> changed(seen, seen.starting(), seen.answer(), seen.downs(), seen.downAfter()));
        }
    },
    /** What an app answered while nobody looked is taken for what it answered before. */
    GAPS_COUNT {
        @Override
        Duration longestGap(GuardConfig config) {
            return Duration.ofDays(1);
        }
    },
    /** That another guard saw the app otherwise is not noticed. */
    OTHERS_DO_NOT_COUNT {
        @Override
        Supplier<String> runs(Simulation world) {
            return () -> "always the same";
        }
    },
    /** One look is enough for an app that asked to stop. */
    ONE_LOOK_IS_ENOUGH {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return sightings(right, seen -> changed(seen, seen.starting(), seen.answer(), 99, seen.failingFor()));
        }
    },
    /** No answer is taken for down. */
    SILENCE_IS_DOWN {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return sightings(
                    right,
                    seen -> seen.answer() == HealthReading.UNCLEAR
                            ? changed(seen, seen.starting(), HealthReading.FAILS, 99, seen.downAfter())
                            : seen);
        }
    },
    /** That an app is starting is forgotten. */
    STARTING_DOES_NOT_COUNT {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return sightings(
                    right, seen -> seen.starting() ? changed(seen, false, seen.answer(), 99, seen.downAfter()) : seen);
        }
    },
    /** An intent stays when its app is unregistered, started, or wished otherwise. */
    INTENTS_STAY {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            Map<String, Instant> ever = new TreeMap<>();
            return known -> {
                ever.putAll(known.resource().intents());
                return ever.isEmpty()
                        ? right.apply(known)
                        : right.apply(known.snapshot().isWanted() ? known : wanted(known));
            };
        }
    },
    /** What an actuator says about its deed is believed. */
    NO_READ_BACK {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return known -> {
                boolean blind = known.acted().isPresent()
                        && known.after().isEmpty()
                        && known.acted().get().result() instanceof ActResult.Done;
                return blind
                        ? right.apply(known.state(
                                ((ActResult.Done) known.acted().get().result()).now(), known.at()))
                        : right.apply(known);
            };
        }
    },
    /** What a dry run sees of apps counts as if a guard had looked. */
    DRY_RUNS_COUNT {
        @Override
        FailureTimes failures(FailureTimes right) {
            return new FailureTimes() {
                @Override
                public Duration failing(String resource, App app, String run, ClockReading now) {
                    return right.failing(resource, app, run, now);
                }

                @Override
                public void other(String resource, String app) {
                    right.other(resource, app);
                }

                @Override
                public FailureTimes onlyTold() {
                    return right;
                }
            };
        }
    },
    /** Nobody looks whether what is stopped is needed again. */
    NEEDED_IS_NOT_TOLD {
        @Override
        Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
            return known -> {
                Step step = right.apply(known);
                boolean needed =
                        step instanceof Step.Decide decide && decide.decision().outcome() == GuardOutcome.NEEDED;
                return needed ? new Step.End(known.answer(GuardOutcome.STOPPED, "it is stopped", List.of())) : step;
            };
        }
    };

    Function<ResourceFacts, Step> rules(Function<ResourceFacts, Step> right) {
        return right;
    }

    Duration longestGap(GuardConfig config) {
        return config.longestGap();
    }

    FailureTimes failures(FailureTimes right) {
        return right;
    }

    Supplier<String> runs(Simulation world) {
        return world::newRun;
    }

    private static AppObservation changed(
            AppObservation seen, boolean starting, HealthReading answer, int downs, Duration failing) {
        return new AppObservation(
                seen.app(), seen.desired(), starting, seen.probed(), answer, downs, failing, seen.downAfter());
    }

    private static Function<ResourceFacts, Step> sightings(
            Function<ResourceFacts, Step> right, UnaryOperator<AppObservation> change) {
        return known -> right.apply(
                known.looked().isEmpty() ? known : seeing(known, known.looked().get(), change));
    }

    private static ResourceFacts seeing(
            ResourceFacts known, AppObservations looked, UnaryOperator<AppObservation> change) {
        List<AppObservation> sightings = looked.each().stream().map(change).toList();
        return new ResourceFacts(
                known.task(),
                known.snapshot(),
                known.at(),
                known.use(),
                known.state(),
                Optional.of(new AppObservations(sightings, looked.counts(), looked.over())),
                known.acted(),
                known.after());
    }

    /** As if the first of its apps had asked, and still wanted it. */
    private static ResourceFacts wanted(ResourceFacts known) {
        if (known.snapshot().apps().isEmpty()) {
            return known;
        }
        List<App> apps = new ArrayList<>(known.snapshot().apps());
        App first = apps.get(0);
        apps.set(0, first.wished(DesiredState.STOPPED, first.startingUntil()));
        DocumentVersion<ResourceRecord> stored = known.snapshot().stored();
        ResourceRecord resource = stored.value().wanted(new Intent(first.name(), known.at()));
        ResourceSnapshot snapshot = new ResourceSnapshot(
                new DocumentVersion<>(resource, stored.unchanged()),
                known.snapshot().unit(),
                apps);
        return new ResourceFacts(
                known.task(),
                snapshot,
                known.at(),
                known.use(),
                known.state(),
                known.looked(),
                known.acted(),
                known.after());
    }
}
