package dev.holdfast.guard.local;

import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.registry.ActuatorChoice;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes what is shown of a resource from what is stored of it. */
final class ResourceViews {
    private ResourceViews() {}

    static ResourceView of(StopUnit unit, ResourceRecord resource, ActuatorChoice actuators) {
        return new ResourceView(
                unit.id(),
                List.copyOf(unit.types()),
                resource.state(),
                actuators.nameFor(unit, resource).orElse("none"),
                actuators.recordsOnly(unit, resource),
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

    private static List<ResourceView.User> users(StopUnit unit, ResourceRecord resource) {
        Map<String, Evidence> last = new HashMap<>();
        for (GuardDecision decision : resource.decisions()) {
            decision.evidence().forEach(seen -> last.putIfAbsent(seen.app(), seen));
        }
        return unit.sharers().stream()
                .map(app -> Optional.ofNullable(last.get(app))
                        .map(seen -> new ResourceView.User(
                                app, seen.status(), seen.httpCode(), Optional.of(seen.checkedAt())))
                        .orElseGet(() -> new ResourceView.User(app, "UNKNOWN", OptionalInt.empty(), Optional.empty())))
                .toList();
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
