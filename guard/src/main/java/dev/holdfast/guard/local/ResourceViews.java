package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.guard.rules.StopRules;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes what is shown of a resource from what is stored of it, and from what this guard has seen of its apps. */
record ResourceViews(GuardContext context, Map<String, App> apps) {
    ResourceView of(StopUnit unit) {
        ResourceRecord resource = context.documents().resource(unit.id()).value();
        return new ResourceView(
                unit.id(),
                List.copyOf(unit.types()),
                resource.state(),
                context.choice().nameFor(unit, resource).orElse("none"),
                context.choice().recordsOnly(unit, resource),
                users(unit, resource),
                resource.intents().entrySet().stream()
                        .sorted(Map.Entry.comparingByValue())
                        .map(entry -> new Intent(entry.getKey(), entry.getValue()))
                        .toList(),
                neededBy(resource),
                List.copyOf(unit.sameAs()),
                resource.decisions(),
                List.copyOf(unit.problems()));
    }

    private List<ResourceView.User> users(StopUnit unit, ResourceRecord resource) {
        Map<String, Evidence> last = new HashMap<>();
        Optional<AnswerMemory.Look> look = memory().lookAt(unit.id());
        look.ifPresent(seen -> seen.each().forEach(one -> last.put(one.app(), one.evidence())));
        for (GuardDecision decision : resource.decisions()) {
            // What another guard decided may be newer than what this one saw.
            decision.evidence().forEach(seen -> last.merge(seen.app(), seen, ResourceViews::newer));
        }
        return unit.sharers().stream()
                .map(app -> {
                    Optional<Evidence> seen = Optional.ofNullable(last.get(app));
                    return new ResourceView.User(
                            app,
                            seen.map(Evidence::status).orElse("UNKNOWN"),
                            seen.map(Evidence::httpCode).orElse(OptionalInt.empty()),
                            seen.map(Evidence::checkedAt),
                            Optional.ofNullable(apps.get(app)).map(App::desired).orElse(DesiredState.AUTO),
                            watch(app, Optional.ofNullable(apps.get(app)), resource, look));
                })
                .toList();
    }

    private static Evidence newer(Evidence one, Evidence other) {
        return other.checkedAt().isAfter(one.checkedAt()) ? other : one;
    }

    private ResourceView.Watch watch(
            String app, Optional<App> registered, ResourceRecord resource, Optional<AnswerMemory.Look> look) {
        Instant now = context.clock().instant();
        // How an app stands is told as long as a stop is asked for, and the look would still count.
        Optional<AppObservation> current = look.filter(seen -> !resource.intents()
                                .isEmpty()
                        && !seen.at().plus(context.config().longestGap()).isBefore(now))
                .flatMap(seen -> seen.of(app));
        Optional<AppStanding> standing =
                current.map(seen -> StopRules.standing(seen, context.config().downConfirmations()));
        Optional<AppObservation> failing = current.filter(
                seen -> standing.filter(AppStanding.FAILING::equals).isPresent());
        Optional<Duration> left = failing.map(seen -> seen.downAfter().minus(seen.failingFor()));
        return new ResourceView.Watch(
                standing,
                failing.map(AppObservation::downAfter),
                left.map(time -> look.orElseThrow().at().plus(time)),
                registered.flatMap(memory()::since),
                registered.map(memory()::answersOf).orElse(List.of()));
    }

    private AnswerMemory memory() {
        return context.probes().memory();
    }

    private static List<String> neededBy(ResourceRecord resource) {
        if (resource.state() != ResourceState.STOPPED || !resource.isToldNeeded()) {
            return List.of();
        }
        return resource.decisions().get(0).evidence().stream()
                .filter(seen -> seen.status().equals("UP") || seen.status().equals("STARTING"))
                .map(Evidence::app)
                .toList();
    }
}
