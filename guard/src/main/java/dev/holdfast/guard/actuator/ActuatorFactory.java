package dev.holdfast.guard.actuator;

import java.util.Map;
import java.util.Set;

/** Makes actuators of some types. Found through {@link java.util.ServiceLoader}: what is on the class path can be configured. */
public interface ActuatorFactory {
    /** The types it knows, as the setting {@code type} names them. */
    Set<String> types();

    /**
     * An actuator of one of these types, under the name resources call it by. What is wrong with its settings is noted there. The
     * environment is what a program may be given parts of.
     */
    Actuator make(String type, String name, ActuatorSettings settings, Map<String, String> environment);
}
