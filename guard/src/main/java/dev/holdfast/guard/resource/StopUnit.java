package dev.holdfast.guard.resource;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is stopped and started as a whole: a machine, or a single service, with everything that lives on it.
 *
 * @param id the instance id, else host:port
 * @param apps who uses it, and which types of it
 * @param places where it is reached
 * @param actuators what its users say stops it
 * @param sameAs other units that were reached at the same address and port when they were registered
 * @param problems why it cannot be stopped, whatever probes see
 */
public record StopUnit(
        String id,
        NavigableMap<String, NavigableSet<String>> apps,
        NavigableSet<String> places,
        NavigableSet<String> actuators,
        NavigableSet<String> sameAs,
        NavigableSet<String> problems) {

    public NavigableSet<String> types() {
        NavigableSet<String> all = new TreeSet<>();
        apps.values().forEach(all::addAll);
        return all;
    }

    public Set<String> sharers() {
        return apps.keySet();
    }

    /** Collects what all registrations together say of one. */
    static final class Builder {
        private final NavigableMap<String, NavigableSet<String>> apps = new TreeMap<>();
        private final NavigableSet<String> places = new TreeSet<>();
        private final NavigableSet<String> actuators = new TreeSet<>();
        final NavigableSet<String> sameAs = new TreeSet<>(); // the ids of others, without its own
        final NavigableSet<String> problems = new TreeSet<>();

        void use(App app, AppDatabase database) {
            apps.computeIfAbsent(app.name(), name -> new TreeSet<>()).add(database.type());
            database.endpoint().or(database::host).ifPresent(places::add);
            database.actuator().ifPresent(actuators::add);
        }

        StopUnit build(String id) {
            if (actuators.size() > 1) {
                problems.add("its apps name different actuators: " + String.join(", ", actuators) + "; register one");
            }
            return new StopUnit(
                    id,
                    Collections.unmodifiableNavigableMap(apps),
                    Collections.unmodifiableNavigableSet(places),
                    Collections.unmodifiableNavigableSet(actuators),
                    Collections.unmodifiableNavigableSet(sameAs),
                    Collections.unmodifiableNavigableSet(problems));
        }
    }
}
