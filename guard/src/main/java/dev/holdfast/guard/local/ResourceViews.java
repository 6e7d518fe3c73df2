package dev.holdfast.guard.local;

import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.registry.ActuatorChoice;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import java.util.ArrayList;
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
        List<ResourceView.User> users = new ArrayList<>();
        for (String app : unit.sharers()) {
            Optional<Evidence> seen = Optional.ofNullable(last.get(app));
            users.add(new ResourceView.User(
                    app,
                    seen.map(Evidence::status).orElse("UNKNOWN"),
                    seen.map(Evidence::httpCode).orElseGet(OptionalInt::empty),
                    seen.map(Evidence::checkedAt)));
        }
        return users;
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
