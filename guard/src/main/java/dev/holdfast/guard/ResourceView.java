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
 * @param apps who uses it, with what was last seen of them
 * @param intent to stop it
 * @param decisions the last ones, newest first
 * @param problems why it cannot be stopped, whatever probes see; usually none
 */
public record ResourceView(
        String dbIdentifier,
        List<String> types,
        ResourceState state,
        String actuator,
        List<User> apps,
        Optional<Intent> intent,
        List<Decision> decisions,
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

    static ResourceView of(Unit unit, Resource resource, Hands hands) {
        Map<String, Evidence> last = new HashMap<>();
        for (Decision decision : resource.decisions()) {
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
        return new ResourceView(
                unit.id(),
                List.copyOf(unit.types()),
                resource.state(),
                hands.nameFor(unit),
                users,
                resource.intent(),
                resource.decisions(),
                List.copyOf(unit.problems()));
    }
}
