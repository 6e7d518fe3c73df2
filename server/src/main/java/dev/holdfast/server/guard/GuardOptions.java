package dev.holdfast.server.guard;

import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.probe.AddressPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The guard of a server as it is to be.
 *
 * @param store URL of its documents; empty for where the locks are
 * @param actuators what stops and starts resources: settings by name, as {@link Actuators} takes them
 * @param usualActuator the one for databases that name none
 * @param answerWithin how long a caller waits for an outcome
 */
public record GuardOptions(
        boolean enabled,
        Optional<String> store,
        GuardConfig config,
        Probes probes,
        Map<String, Map<String, String>> actuators,
        String usualActuator,
        Duration answerWithin) {

    public GuardOptions {
        actuators = Map.copyOf(actuators);
    }

    /** The same, keeping its documents where the locks are. */
    public GuardOptions beside() {
        return new GuardOptions(enabled, Optional.empty(), config, probes, actuators, usualActuator, answerWithin);
    }

    public GuardOptions with(String actuator, Map<String, String> settings) {
        Map<String, Map<String, String>> all = new HashMap<>(actuators);
        all.put(actuator, settings);
        return new GuardOptions(enabled, store, config, probes, all, usualActuator, answerWithin);
    }

    /**
     * How apps are looked at.
     *
     * @param policy where probes may go
     * @param ca certificates to trust besides those of Java
     * @param gateway where apps are whose URL names no host
     */
    public record Probes(AddressPolicy policy, Optional<Path> ca, Optional<URI> gateway) {}
}
