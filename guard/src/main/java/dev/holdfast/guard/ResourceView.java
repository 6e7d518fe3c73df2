package dev.holdfast.guard;

import java.time.Instant;
import java.util.List;
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
}
