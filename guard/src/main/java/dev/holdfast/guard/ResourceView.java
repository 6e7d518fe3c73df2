package dev.holdfast.guard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A resource as it is shown.
 *
 * @param dbIdentifier an instance id, or host:port
 * @param types the services that live on it
 * @param state as last known
 * @param actuator what stops and starts it
 * @param recordedOnly whether that only records: then its state is what was recorded, and nothing was touched
 * @param apps who uses it, with what was last seen of them
 * @param intents to stop it, the oldest first
 * @param neededBy apps that need it although it is stopped; usually none
 * @param sameAs other resources at the same address and port
 * @param decisions the last ones, newest first
 * @param problems why it cannot be stopped, whatever probes see; usually none
 */
public record ResourceView(
        String dbIdentifier,
        List<String> types,
        ResourceState state,
        String actuator,
        boolean recordedOnly,
        List<User> apps,
        List<Intent> intents,
        List<String> neededBy,
        List<String> sameAs,
        List<GuardDecision> decisions,
        List<String> problems) {
    /**
     * An app that uses it.
     *
     * @param app which
     * @param status what was last seen of it; {@code UNKNOWN} if it was never looked at
     * @param httpCode of its answer, if there was one
     * @param checkedAt when it was looked at
     */
    public record User(String app, String status, OptionalInt httpCode, Optional<Instant> checkedAt) {}

    /** The oldest intent. */
    public Optional<Intent> intent() {
        return intents.stream().findFirst();
    }

    static ResourceView of(StopUnit unit, ResourceRecord resource, ActuatorCalls actuators) {
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

    private static List<User> users(StopUnit unit, ResourceRecord resource) {
        Map<String, Evidence> last = new HashMap<>();
        for (GuardDecision decision : resource.decisions()) {
            decision.evidence().forEach(seen -> last.putIfAbsent(seen.app(), seen));
        }
        List<User> users = new ArrayList<>();
        for (String app : unit.sharers()) {
            Optional<Evidence> seen = Optional.ofNullable(last.get(app));
            users.add(new User(
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
