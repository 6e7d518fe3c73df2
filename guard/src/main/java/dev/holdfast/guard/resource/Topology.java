package dev.holdfast.guard.resource;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which databases are one and the same thing to stop, told from all registrations together. Pure.
 *
 * <p>A database with an instance id lives on that machine. One without lives there too if somebody else said where its
 * host:port, or its host, lives. Where more than one machine is possible, its app counts as a user of each, so that none is
 * stopped under it. Otherwise host:port is the unit. Units that were reached at the same address and port are likely one: who uses
 * one of them counts as a user of each.
 */
public final class Topology {
    private final NavigableMap<String, StopUnit> units = new TreeMap<>();
    private final Map<String, List<String>> byApp = new TreeMap<>();

    private Topology() {}

    public static Topology of(Collection<App> apps) {
        Topology topology = new Topology();
        topology.new Building().all(apps);
        return topology;
    }

    public NavigableMap<String, StopUnit> units() {
        return units;
    }

    public Optional<StopUnit> unit(String id) {
        return Optional.ofNullable(units.get(id));
    }

    /** What this app uses and can stop; ids of units. */
    public List<String> unitsOf(String app) {
        return byApp.getOrDefault(app, List.of());
    }

    /** The units while they are put together. */
    private final class Building {
        private final NavigableMap<String, StopUnit.Builder> building = new TreeMap<>();
        private final Map<String, NavigableSet<String>> machines = new TreeMap<>(); // by host and by host:port

        private void all(Collection<App> apps) {
            apps.forEach(this::learnMachines);
            // Who is leaving uses nothing any more, but what is being acted on keeps its name until it is gone.
            List<App> users = apps.stream().filter(app -> !app.leaving()).toList();
            users.forEach(this::place);
            users.forEach(this::placeDoubtful);
            joinSameAddresses(users);
            contradictions();
            building.forEach((id, unit) -> units.put(id, unit.build(id)));
        }

        private void learnMachines(App app) {
            for (AppDatabase database : app.databases()) {
                database.instanceId().ifPresent(machine -> {
                    database.host().ifPresent(host -> learn(host, machine));
                    database.endpoint().ifPresent(endpoint -> learn(endpoint, machine));
                });
            }
        }

        private void learn(String place, String machine) {
            machines.computeIfAbsent(place, key -> new TreeSet<>()).add(machine);
        }

        private void place(App app) {
            for (AppDatabase database : app.databases()) {
                NavigableSet<String> possible = possible(database);
                if (possible.size() == 1) {
                    add(possible.first(), app, database);
                } else if (possible.isEmpty() && database.endpoint().isPresent()) {
                    add(database.endpoint().get(), app, database);
                } else if (possible.isEmpty()) {
                    String id = database.host().orElse("unidentified-" + app.name() + "-" + database.type());
                    add(id, app, database)
                            .problem("no canonical identifier for the " + database.type() + " database of '"
                                    + app.name() + "': register it with instance_id, or with host:port");
                }
            }
        }

        /** After all units are known. */
        private void placeDoubtful(App app) {
            for (AppDatabase database : app.databases()) {
                NavigableSet<String> possible = possible(database);
                if (possible.size() > 1) {
                    String id = database.endpoint().or(database::host).orElseThrow();
                    add(id, app, database)
                            .problem(id + " may live on " + String.join(" or ", possible)
                                    + ": register it with its instance_id");
                    possible.forEach(machine -> unitNamed(machine).use(app, database));
                } else if (possible.isEmpty()
                        && database.endpoint().isEmpty()
                        && database.host().isPresent()) {
                    String onHost = database.host().get() + ":";
                    building.forEach((id, unit) -> {
                        if (id.startsWith(onHost)) {
                            unit.use(app, database);
                        }
                    });
                }
            }
        }

        private void joinSameAddresses(List<App> apps) {
            Map<String, NavigableSet<String>> reached = new TreeMap<>();
            for (App app : apps) {
                for (AppDatabase database : app.databases()) {
                    unitOf(database)
                            .ifPresent(id -> sockets(database)
                                    .forEach(socket -> reached.computeIfAbsent(socket, key -> new TreeSet<>())
                                            .add(id)));
                }
            }
            reached.values().stream()
                    .filter(same -> same.size() > 1)
                    .forEach(same -> same.forEach(id -> {
                        Set<String> others = new TreeSet<>(same);
                        others.remove(id);
                        unitNamed(id).sameAs(others);
                    }));
            for (App app : apps) {
                for (AppDatabase database : app.databases()) {
                    unitOf(database)
                            .ifPresent(id ->
                                    List.copyOf(unitNamed(id).sameAs()).forEach(other -> add(other, app, database)));
                }
            }
        }

        private Optional<String> unitOf(AppDatabase database) {
            NavigableSet<String> possible = possible(database);
            return possible.isEmpty()
                    ? database.endpoint()
                    : Optional.of(possible.first()).filter(one -> possible.size() == 1);
        }

        private static List<String> sockets(AppDatabase database) {
            return database.port().isEmpty()
                    ? List.of()
                    : database.addresses().stream()
                            .map(address -> address + ":" + database.port().getAsInt())
                            .toList();
        }

        private NavigableSet<String> possible(AppDatabase database) {
            if (database.instanceId().isPresent()) {
                return new TreeSet<>(List.of(database.instanceId().get()));
            }
            return database.endpoint()
                    .map(machines::get)
                    .or(() -> database.host().map(machines::get))
                    .orElseGet(TreeSet::new);
        }

        private StopUnit.Builder add(String id, App app, AppDatabase database) {
            List<String> own = byApp.computeIfAbsent(app.name(), name -> new ArrayList<>());
            if (!own.contains(id)) {
                own.add(id);
            }
            StopUnit.Builder unit = unitNamed(id);
            unit.use(app, database);
            return unit;
        }

        private StopUnit.Builder unitNamed(String id) {
            return building.computeIfAbsent(id, name -> new StopUnit.Builder());
        }

        private void contradictions() {
            machines.forEach((place, on) -> {
                if (on.size() > 1 && place.matches(".*:[0-9]+")) {
                    on.forEach(machine -> unitNamed(machine)
                            .problem(place + " is registered on " + String.join(" and on ", on)
                                    + ": correct the instance_id of one"));
                }
            });
        }
    }
}
