package dev.holdfast.guard.registry;

import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which of this process's actuators a resource has, and why none of them may act on it. */
public final class ActuatorChoice {
    private final Map<String, Actuator> actuators = new TreeMap<>();
    private final Optional<String> usual;

    /** Among these; {@code usual} is for databases that name none. */
    public ActuatorChoice(List<Actuator> actuators, Optional<String> usual) {
        actuators.forEach(actuator -> this.actuators.put(actuator.name(), actuator));
        this.usual = usual;
    }

    public Optional<Actuator> find(String name) {
        return Optional.ofNullable(actuators.get(name));
    }

    public Set<String> names() {
        return new TreeSet<>(actuators.keySet());
    }

    /** Why a database that is about to be registered may not be acted on here; empty if it may, or nothing here would. */
    public Optional<String> refusal(AppDatabase database) {
        Optional<String> name = database.actuator().or(() -> usual);
        Optional<String> id = database.instanceId().or(database::endpoint).or(database::host);
        return name.map(actuators::get)
                .filter(actuator -> id.isPresent() && !actuator.allows(id.get()))
                .map(actuator -> "'" + id.get() + "' is not on the list guard.actuators." + actuator.name()
                        + ".allow of this server; name another actuator, or ask whoever runs it to add it");
    }

    /** The name of what stops this, as far as anybody said. */
    public Optional<String> nameFor(StopUnit unit, ResourceRecord resource) {
        return unit.actuators().stream().findFirst().or(() -> usual).or(resource::actuator);
    }

    /** What is to be noted as its actuator when it is registered here: nothing that would hide a real one known elsewhere. */
    public ResourceRecord noted(StopUnit unit, ResourceRecord resource) {
        Optional<String> name = unit.actuators().stream().findFirst().or(() -> usual);
        boolean hides = resource.actuator().isPresent()
                && unit.actuators().isEmpty()
                && name.filter(this::isRecordOnly).isPresent();
        return name.isEmpty() || hides ? resource : resource.actedOnBy(name.get());
    }

    /** Whether what is stopped here is only recorded as stopped. */
    public boolean recordsOnly(StopUnit unit, ResourceRecord resource) {
        return nameFor(unit, resource).filter(this::isRecordOnly).isPresent();
    }

    private boolean isRecordOnly(String name) {
        Actuator found = actuators.get(name);
        return found != null && found.recordsOnly();
    }

    /** Why nothing can be done with it here; empty if something can. */
    public Optional<String> problem(StopUnit unit, ResourceRecord resource) {
        if (!unit.problems().isEmpty()) {
            return Optional.of(String.join("; ", unit.problems()));
        }
        if (unit.actuators().isEmpty() && usual.isEmpty()) {
            return resource.actuator()
                            .filter(name -> actuators.containsKey(name) && !isRecordOnly(name))
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of(resource.actuator()
                                    .filter(name -> !actuators.containsKey(name))
                                    .map(name -> "its actuator '" + name + "' is not configured here")
                                    .orElse("no actuator for it is configured here")
                            + " (guard.actuator, guard.actuators); nothing was done. A server that has one"
                            + " continues with what is stored");
        }
        String name = nameFor(unit, resource).orElseThrow();
        if (!actuators.containsKey(name)) {
            return Optional.of("actuator '" + name + "' is not configured here; nothing was done. Configured: "
                    + (actuators.isEmpty() ? "none" : String.join(", ", actuators.keySet())));
        }
        return resource.actuator()
                .filter(known -> !known.equals(name) && isRecordOnly(name) && !isRecordOnly(known))
                .map(known -> "its actuator is '" + known + "', but here it would be '" + name
                        + "', which only records; nothing was done. Set guard.actuator to '" + known
                        + "', or unregister its apps and register them again to have it only recorded");
    }
}
