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

    private record Use(App app, AppDatabase database) {}

    /** The units while they are put together. */
    private final class Building {
        private final NavigableMap<String, StopUnit.Builder> building = new TreeMap<>();
        private final Map<String, NavigableSet<String>> machines = new TreeMap<>(); // by host and by host:port

        private void all(Collection<App> apps) {
            apps.forEach(app -> app.databases().forEach(this::learnMachine));
            // Who is leaving uses nothing any more, but what is being acted on keeps its name until it is gone.
            List<Use> uses = apps.stream()
                    .filter(app -> !app.leaving())
                    .flatMap(app -> app.databases().stream().map(database -> new Use(app, database)))
                    .toList();
            uses.forEach(use -> place(use.app(), use.database()));
            uses.forEach(use -> placeDoubtful(use.app(), use.database()));
            joinSameAddresses(uses);
            contradictions();
            building.forEach((id, unit) -> units.put(id, unit.build(id)));
        }

        private void learnMachine(AppDatabase database) {
            database.instanceId().ifPresent(machine -> {
                database.host().ifPresent(host -> learn(host, machine));
                database.endpoint().ifPresent(endpoint -> learn(endpoint, machine));
            });
        }

        private void learn(String place, String machine) {
            machines.computeIfAbsent(place, key -> new TreeSet<>()).add(machine);
        }

        private void place(App app, AppDatabase database) {
            NavigableSet<String> possible = possible(database);
            if (possible.size() > 1) {
                return;
            }
            Optional<String> unit = unitOf(database);
            String id = unit.or(database::host).orElse("unidentified-" + app.name() + "-" + database.type());
            add(id, app, database);
            if (unit.isEmpty()) {
                unitNamed(id)
                        .problems
                        .add("no canonical identifier for the " + database.type() + " database of '" + app.name()
                                + "': register it with instance_id, or with host:port");
            }
        }

        /** After all units are known. */
        private void placeDoubtful(App app, AppDatabase database) {
            NavigableSet<String> possible = possible(database);
            if (possible.size() > 1) {
                String id = database.endpoint().or(database::host).orElseThrow();
                add(id, app, database);
                unitNamed(id)
                        .problems
                        .add(id + " may live on " + String.join(" or ", possible)
                                + ": register it with its instance_id");
                possible.forEach(machine -> unitNamed(machine).use(app, database));
            } else if (unitOf(database).isEmpty() && database.host().isPresent()) {
                String onHost = database.host().get() + ":";
                building.forEach((id, unit) -> {
                    if (id.startsWith(onHost)) {
                        unit.use(app, database);
                    }
                });
            }
        }

        private void joinSameAddresses(List<Use> uses) {
            Map<String, NavigableSet<String>> reached = new TreeMap<>();
            for (Use use : uses) {
                unitOf(use.database())
                        .ifPresent(id -> sockets(use.database())
                                .forEach(socket -> reached.computeIfAbsent(socket, key -> new TreeSet<>())
                                        .add(id)));
            }
            reached.values().stream()
                    .filter(same -> same.size() > 1)
                    .forEach(same -> same.forEach(id -> {
                        Set<String> others = new TreeSet<>(same);
                        others.remove(id);
                        unitNamed(id).sameAs.addAll(others);
                    }));
            for (Use use : uses) {
                unitOf(use.database())
                        .ifPresent(id -> List.copyOf(unitNamed(id).sameAs)
                                .forEach(other -> add(other, use.app(), use.database())));
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

        private void add(String id, App app, AppDatabase database) {
            List<String> own = byApp.computeIfAbsent(app.name(), name -> new ArrayList<>());
            if (!own.contains(id)) {
                own.add(id);
            }
            unitNamed(id).use(app, database);
        }

        private StopUnit.Builder unitNamed(String id) {
            return building.computeIfAbsent(id, name -> new StopUnit.Builder());
        }

        private void contradictions() {
            machines.forEach((place, on) -> {
                if (on.size() > 1 && place.matches(".*:[0-9]+")) {
                    on.forEach(machine -> unitNamed(machine)
                            .problems
                            .add(place + " is registered on " + String.join(" and on ", on)
                                    + ": correct the instance_id of one"));
                }
            });
        }
    }
}
