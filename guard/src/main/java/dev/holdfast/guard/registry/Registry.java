package dev.holdfast.guard.registry;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.resource.DocumentVersion;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.resource.Topology;
import dev.holdfast.spi.OutcomeUnknownException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers apps. The resources of an app are written with it, so that a stop that is being decided at that moment finds them
 * changed and looks again.
 */
public record Registry(GuardDocuments documents, ActuatorChoice actuators, HostAddresses hosts, ResourceLocks locks) {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    /** What came of registering: the identifiers of what the apps use, and what is registered but likely not meant so. */
    public record Registrations(Set<String> resources, List<String> warnings) {}

    /**
     * Registers all of them, or none if one has a problem.
     *
     * @throws OutcomeUnknownException if the documents fail when some are registered
     */
    public Registrations register(List<Registration> registrations) throws InterruptedException {
        List<CheckedApp> checked = resolved(checked(registrations));
        List<String> done = new ArrayList<>();
        try {
            Set<String> touched = new TreeSet<>();
            for (CheckedApp one : checked) {
                String name = one.app();
                Set<String> changed = documents.together(
                        "app '" + name + "'",
                        () -> attempt(
                                name, before -> Optional.of(one.next(before)), id -> Optional.of(locked(name, id))));
                done.add(name);
                touched.addAll(withLateNeighbours(name, changed));
            }
            return new Registrations(touched, warnings(checked));
        } catch (HoldfastException | GuardBusyException e) {
            if (done.isEmpty()) {
                throw e;
            }
            throw afterRegistering(done, e);
        }
    }

    /** What is told of a failure after these were registered: it does not undo them. */
    public static OutcomeUnknownException afterRegistering(List<String> done, RuntimeException failure) {
        return new OutcomeUnknownException(
                "Registered so far: '" + String.join("', '", done) + "'. The rest is not known to be done: "
                        + failure.getMessage() + ". Register the same again: what is registered stays as it is",
                failure);
    }

    private List<CheckedApp> checked(List<Registration> registrations) {
        List<String> problems = new ArrayList<>();
        List<CheckedApp> checked = new ArrayList<>();
        for (Registration one : registrations) {
            List<String> own = new ArrayList<>();
            CheckedApp canonical = CheckedApp.check(one, actuators.names(), own);
            checked.add(canonical);
            canonical
                    .databases()
                    .forEach(database -> actuators.refusal(database).ifPresent(own::add));
            String which = registrations.size() == 1 ? "" : "app '" + Registration.shown(one.app()) + "': ";
            own.forEach(problem -> problems.add(which + problem));
        }
        if (!problems.isEmpty()) {
            throw new InvalidAppException(problems);
        }
        return checked;
    }

    private List<CheckedApp> resolved(List<CheckedApp> checked) throws InterruptedException {
        Set<String> names = new TreeSet<>();
        checked.forEach(one -> names.addAll(one.names()));
        Map<String, List<String>> addresses = hosts.of(names);
        return checked.stream().map(one -> one.at(addresses)).toList();
    }

    /** Databases under several names, as far as these apps use them. */
    private List<String> warnings(List<CheckedApp> checked) {
        Set<String> names = new TreeSet<>();
        checked.forEach(one -> names.add(one.app()));
        List<String> warnings = new ArrayList<>();
        for (StopUnit unit : Topology.of(documents.apps().values()).units().values()) {
            boolean first =
                    unit.sameAs().isEmpty() || unit.id().compareTo(unit.sameAs().first()) < 0;
            if (first && !unit.sameAs().isEmpty() && unit.sharers().stream().anyMatch(names::contains)) {
                String warning = unit.id() + " is at the same address and port as "
                        + String.join(", ", unit.sameAs())
                        + ": none is stopped while an app of any of them needs it. Register them under one name";
                LOG.warn("{}", warning);
                warnings.add(warning);
            }
        }
        return warnings;
    }

    /**
     * Forgets an app; false if there was none. From here on it keeps nothing from being stopped, and wants nothing stopped. What only
     * it named is forgotten as soon as nobody acts on it.
     */
    public boolean unregister(String name) throws InterruptedException {
        if (!isName(name)
                || documents.app(name).filter(app -> !app.value().leaving()).isEmpty()) {
            return false;
        }
        documents.together("app '" + name + "'", () -> leave(name));
        try {
            forget(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever looks around next forgets it
        } catch (HoldfastException
                | GuardBusyException e) { // it has left already: a failure would say that nothing was changed
            LOG.warn("App {} was unregistered and could not be forgotten yet: {}", name, e.toString());
        }
        return true;
    }

    private Optional<Boolean> leave(String name) {
        Optional<DocumentVersion<App>> app = documents.app(name);
        if (app.isEmpty() || app.get().value().leaving()) {
            return Optional.of(true);
        }
        Map<String, App> apps = new TreeMap<>(documents.apps());
        apps.put(name, app.get().value());
        Topology old = Topology.of(apps.values());
        apps.put(name, app.get().value().goingAway());
        Topology next = Topology.of(apps.values());
        List<Change> changes = new ArrayList<>();
        changes.add(documents.put(app.get().value().goingAway(), app.get().unchanged()));
        old.units().forEach((id, unit) -> {
            if (unit.sharers().contains(name)) {
                DocumentVersion<ResourceRecord> stored = documents.resource(id);
                List<String> users =
                        next.unit(id).map(left -> List.copyOf(left.sharers())).orElse(List.of());
                changes.add(
                        documents.put(stored, stored.value().withdrawnBy(name).usedBy(users)));
            }
        });
        return documents.write(changes) ? Optional.of(true) : Optional.empty();
    }

    /** Forgets an app that is leaving, unless something it named is just being acted on: then it is for the next time. */
    public void forget(String name) throws InterruptedException {
        Optional<DocumentVersion<App>> app =
                documents.app(name).filter(found -> found.value().leaving());
        if (app.isPresent()) {
            // If it was registered again meanwhile, it stays as it is.
            var unused = attempt(name, live -> live, id -> locks.takeIfFree(id, name, "forget"));
        }
    }

    /** A name an app can have; no other is looked up, as it may not be one for a document. */
    static boolean isName(String name) {
        return name.matches(Registration.NAME);
    }

    /** Who registered at the same moment may have made it part of another resource, which must learn of it too. */
    private Set<String> withLateNeighbours(String name, Set<String> touched) {
        Set<String> all = new TreeSet<>(touched);
        for (StopUnit unit : Topology.of(documents.apps().values()).units().values()) {
            if (unit.sharers().contains(name) && all.add(unit.id())) {
                documents.update(unit.id(), resource -> resource.usedBy(List.copyOf(unit.sharers())));
            }
        }
        return all;
    }

    /** Takes the lock of a resource that will have another name. */
    private interface Locking {
        Optional<ResourceLocks.HeldResource> lock(String id) throws InterruptedException;
    }

    private ResourceLocks.HeldResource locked(String app, String id) throws InterruptedException {
        return locks.take(id, app, "rename")
                .orElseThrow(() -> new GuardBusyException("Resource '" + id
                        + "' is just being judged, and this registration changes what it is. Try again."));
    }

    /** Empty: something had changed, or a lock was not free. */
    private Optional<Set<String>> attempt(String name, UnaryOperator<Optional<App>> edit, Locking locking)
            throws InterruptedException {
        Optional<DocumentVersion<App>> before = documents.app(name);
        Optional<App> live = before.map(DocumentVersion::value).filter(app -> !app.leaving());
        Optional<App> after = edit.apply(live);
        // One that is leaving is written even if it comes back as it was: what is stored of it would be forgotten.
        if (after.isPresent() && live.filter(old -> isSame(old, after.get())).isPresent()) {
            return Optional.of(Set.of());
        }
        Map<String, App> apps = new TreeMap<>(documents.apps());
        before.ifPresent(old -> apps.put(name, old.value().staying()));
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
        List<ResourceLocks.HeldResource> held = new ArrayList<>();
        try {
            // Under its old name nobody may be stopping what will have another one.
            for (String id : vanishing) {
                Optional<ResourceLocks.HeldResource> lock = locking.lock(id);
                if (lock.isEmpty()) {
                    return Optional.empty();
                }
                held.add(lock.get());
            }
            return documents.write(changes(name, before, after, old, next, touched, vanishing))
                    ? Optional.of(touched)
                    : Optional.empty();
        } finally {
            held.forEach(ResourceLocks.HeldResource::close);
        }
    }

    private List<Change> changes(
            String name,
            Optional<DocumentVersion<App>> before,
            Optional<App> after,
            Topology old,
            Topology next,
            Set<String> touched,
            Set<String> vanishing) {
        List<Change> changes = new ArrayList<>();
        after.ifPresent(app -> changes.add(
                documents.put(app, before.map(DocumentVersion::unchanged).orElseGet(Condition::absent))));
        if (after.isEmpty()) {
            before.ifPresent(app -> changes.add(documents.delete(app)));
        }
        Map<String, ResourceRecord> heirs = new TreeMap<>();
        for (String id : vanishing) {
            DocumentVersion<ResourceRecord> stored = documents.resource(id);
            List<String> reached = heirs(next, id, old.unit(id).orElseThrow());
            reached.forEach(other -> heirs.put(other, stored.value()));
            Optional<String> heir = reached.stream().findFirst();
            if (!(stored.unchanged() instanceof Condition.Absent)) {
                changes.add(
                        heir.map(other -> documents.put(stored, stored.value().movedTo(other)))
                                .orElseGet(() -> documents.forget(stored)));
            }
        }
        for (String id : touched) {
            DocumentVersion<ResourceRecord> stored = documents.resource(id);
            StopUnit unit = next.unit(id).orElseThrow();
            ResourceRecord resource = inherited(stored.value(), Optional.ofNullable(heirs.get(id)))
                    .usedBy(List.copyOf(unit.sharers()));
            boolean wants =
                    after.filter(app -> app.desired() == DesiredState.STOPPED).isPresent()
                            && unit.sharers().contains(name);
            changes.add(documents.put(stored, actuators.noted(unit, wants ? resource : resource.withdrawnBy(name))));
        }
        return changes;
    }

    /** The units that are reached where the one with this name was. */
    private static List<String> heirs(Topology next, String id, StopUnit old) {
        return next.units().values().stream()
                .filter(unit ->
                        unit.places().contains(id) || unit.places().stream().anyMatch(old.places()::contains))
                .map(StopUnit::id)
                .toList();
    }

    private static ResourceRecord inherited(ResourceRecord resource, Optional<ResourceRecord> from) {
        if (from.isEmpty()) {
            return resource;
        }
        ResourceRecord with = resource;
        for (Map.Entry<String, Instant> intent : from.get().intents().entrySet()) {
            with = with.wanted(new Intent(intent.getKey(), intent.getValue()));
        }
        return with.state() == ResourceState.UNKNOWN ? with.in(from.get().state(), with.token()) : with;
    }

    private static boolean isSame(App one, App other) {
        return one.url().equals(other.url())
                && one.health().equals(other.health())
                && one.databases().equals(other.databases())
                && one.desired() == other.desired();
    }
}
