package dev.holdfast.guard;

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
record StopUnit(
        String id,
        NavigableMap<String, NavigableSet<String>> apps,
        NavigableSet<String> places,
        NavigableSet<String> actuators,
        NavigableSet<String> sameAs,
        NavigableSet<String> problems) {

    static StopUnit empty(String id) {
        return new StopUnit(id, new TreeMap<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    }

    /** Every type of service that lives on it. */
    NavigableSet<String> types() {
        NavigableSet<String> all = new TreeSet<>();
        apps.values().forEach(all::addAll);
        return all;
    }

    Set<String> sharers() {
        return apps.keySet();
    }

    void use(App app, AppDatabase database) {
        apps.computeIfAbsent(app.name(), name -> new TreeSet<>()).add(database.type());
        database.endpoint().or(database::host).ifPresent(places::add);
        database.actuator().ifPresent(actuators::add);
    }
}
