package dev.holdfast.guard.local;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.Actuators;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.Prober;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * What a guard works with. None of it is closed with the guard.
 *
 * @param locks where the lock of each resource is
 * @param documents where apps and resources are kept
 * @param prober how apps are looked at
 * @param actuators what stops and starts resources, each by its name
 * @param usualActuator the name of the one for databases that name none; empty if this process has none: it then judges only
 *     databases whose actuator it knows, and leaves the others to guards that have one
 * @param hosts what host names stand for, to notice that two are the same
 * @param meter what counts
 * @param clock the time of records and deadlines
 */
public record GuardParts(
        LockClient locks,
        DocumentStore documents,
        Prober prober,
        List<Actuator> actuators,
        Optional<String> usualActuator,
        HostAddresses hosts,
        GuardMeter meter,
        Clock clock) {
    public GuardParts {
        actuators = List.copyOf(actuators);
    }

    /** With the actuator {@value Actuators#LOG} for databases that name none, the system's clock, and nothing counted. */
    public static GuardParts of(LockClient locks, DocumentStore documents, Prober prober, List<Actuator> actuators) {
        return new GuardParts(
                locks,
                documents,
                prober,
                actuators,
                Optional.of(Actuators.LOG),
                HostAddresses.ofThisMachine(),
                GuardMeter.NONE,
                Clock.systemUTC());
    }
}
