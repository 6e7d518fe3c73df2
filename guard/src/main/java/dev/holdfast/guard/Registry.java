package dev.holdfast.guard;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Registers apps. The resources of an app are written with it, so that a stop that is being decided at that moment finds them
 * changed and looks again.
 */
final class Registry {
    private final Workshop shop;
    private final GuardFiles files;

    Registry(Workshop shop) {
        this.shop = shop;
        this.files = shop.files();
    }

    /** Registers all of them, or none if one has a problem; returns the identifiers of their resources. */
    Set<String> register(List<Registration> registrations) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        List<Registration.Checked> checked = new ArrayList<>();
        for (Registration one : registrations) {
            List<String> own = new ArrayList<>();
            checked.add(one.check(shop.hands().names(), own));
            String which = registrations.size() == 1 ? "" : "app '" + Registration.shown(one.app()) + "': ";
            own.forEach(problem -> problems.add(which + problem));
        }
        if (!problems.isEmpty()) {
            throw new InvalidAppException(problems);
        }
        Set<String> touched = new TreeSet<>();
        for (Registration.Checked one : checked) {
            touched.addAll(change(one.app(), before -> Optional.of(one.next(before))));
        }
        return touched;
    }

    /** Forgets an app; false if there was none. */
    boolean unregister(String name) throws InterruptedException {
        if (!isName(name) || files.app(name).isEmpty()) {
            return false;
        }
        change(name, before -> Optional.empty());
        return true;
    }

    /** A name an app can have; no other is looked up, as it may not be one for a document. */
    static boolean isName(String name) {
        return name.matches(Registration.NAME);
    }

    private interface Edit {
        Optional<App> after(Optional<App> before);
    }

    private Set<String> change(String name, Edit edit) throws InterruptedException {
        for (int tries = 0; tries < GuardFiles.MAX_TRIES; tries++) {
            Optional<Set<String>> done = attempt(name, edit);
            if (done.isPresent()) {
                return withLateNeighbours(name, done.get());
            }
        }
        throw new GuardBusyException(
                "The documents of app '" + name + "' were changed by others all the time. Try again.");
    }

    /** Who registered at the same moment may have made it part of another resource, which must learn of it too. */
    private Set<String> withLateNeighbours(String name, Set<String> touched) {
        Set<String> all = new TreeSet<>(touched);
        for (Unit unit : Topology.of(files.apps().values()).units().values()) {
            if (unit.sharers().contains(name) && all.add(unit.id())) {
                files.update(unit.id(), resource -> resource.usedBy(List.copyOf(unit.sharers())));
            }
        }
        return all;
    }

    private Optional<Set<String>> attempt(String name, Edit edit) throws InterruptedException {
        Optional<Stored<App>> before = files.app(name);
        Optional<App> after = edit.after(before.map(Stored::value));
        if (after.isPresent()
                && before.filter(old -> isSame(old.value(), after.get())).isPresent()) {
            return Optional.of(Set.of());
        }
        Map<String, App> apps = new TreeMap<>(files.apps());
        before.ifPresent(old -> apps.put(name, old.value()));
        Topology old = Topology.of(apps.values());
        apps.remove(name);
        after.ifPresent(app -> apps.put(name, app));
        Topology next = Topology.of(apps.values());

        Set<String> vanishing = new TreeSet<>(old.units().keySet());
        vanishing.removeAll(next.units().keySet());
        Set<String> touched = new TreeSet<>();
        next.units().forEach((id, unit) -> {
            boolean same = old.unit(id).filter(unit::equals).isPresent();
            if (!same || unit.sharers().contains(name)) {
                touched.add(id);
            }
        });
        List<ResourceLock.Held> locks = new ArrayList<>();
        try {
            // Under its old name nobody may be stopping what will have another one.
            for (String id : vanishing) {
                locks.add(shop.lock()
                        .take(id, name, "rename")
                        .orElseThrow(() -> new GuardBusyException("Resource '" + id
                                + "' is just being judged, and this registration changes what it is. Try again.")));
            }
            return files.write(changes(before, after, next, touched, vanishing))
                    ? Optional.of(touched)
                    : Optional.empty();
        } finally {
            locks.forEach(ResourceLock.Held::close);
        }
    }

    private List<Change> changes(
            Optional<Stored<App>> before,
            Optional<App> after,
            Topology next,
            Set<String> touched,
            Set<String> vanishing) {
        List<Change> changes = new ArrayList<>();
        after.ifPresent(
                app -> changes.add(files.put(app, before.map(Stored::unchanged).orElseGet(Condition::absent))));
        if (after.isEmpty()) {
            before.ifPresent(app -> changes.add(files.delete(app)));
        }
        Map<String, Resource> heirs = new TreeMap<>();
        for (String id : vanishing) {
            Stored<Resource> stored = files.resource(id);
            Optional<String> heir = heir(next, id);
            heir.ifPresent(other -> heirs.put(other, stored.value()));
            if (!(stored.unchanged() instanceof Condition.Absent)) {
                changes.add(heir.map(other -> files.put(stored, stored.value().movedTo(other)))
                        .orElseGet(() -> files.forget(stored)));
            }
        }
        for (String id : touched) {
            Stored<Resource> stored = files.resource(id);
            Resource resource = stored.value()
                    .usedBy(List.copyOf(next.unit(id).orElseThrow().sharers()));
            changes.add(files.put(stored, inherited(resource, Optional.ofNullable(heirs.get(id)))));
        }
        return changes;
    }

    /** The unit that is reached where the one with this name was. */
    private static Optional<String> heir(Topology next, String id) {
        return next.units().values().stream()
                .filter(unit -> unit.places().contains(id))
                .map(Unit::id)
                .findFirst();
    }

    private static Resource inherited(Resource resource, Optional<Resource> from) {
        if (from.isEmpty()) {
            return resource;
        }
        Resource with = from.get().intent().map(resource::wanted).orElse(resource);
        return with.state() == ResourceState.UNKNOWN ? with.in(from.get().state(), with.token()) : with;
    }

    private static boolean isSame(App one, App other) {
        return one.url().equals(other.url())
                && one.databases().equals(other.databases())
                && one.desired() == other.desired();
    }
}
