package dev.holdfast.guard.actuator;

import dev.holdfast.documents.keys.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What an actuator is to act on.
 *
 * @param dbIdentifier the resource: an EC2 instance id, or host:port
 * @param types the services that live on it, such as {@code postgres}
 * @param fencingToken of the lock under which this is done; an actuator refuses one below the highest it has seen
 * @param reason why, for people
 * @param dryRun say what would be done, and do nothing
 * @param timeout how long the call may take
 * @param settings what the actuator needs besides, as configured
 */
public record ActTarget(
        String dbIdentifier,
        List<String> types,
        long fencingToken,
        String reason,
        boolean dryRun,
        Duration timeout,
        Map<String, String> settings) {
    public ActTarget {
        types = List.copyOf(types);
        settings = Map.copyOf(settings);
    }

    /** A name for the resource that is safe in a header and as a file. */
    public String key() {
        return Sha256.of(dbIdentifier.getBytes(StandardCharsets.UTF_8)).substring(0, 32);
    }
}
