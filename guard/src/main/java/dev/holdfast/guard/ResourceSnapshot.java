package dev.holdfast.guard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A resource and who uses it, as read at one moment.
 *
 * @param stored what is stored of it
 * @param unit what it is made of; empty if no app uses it
 * @param apps who uses it
 */
record ResourceSnapshot(DocumentVersion<ResourceRecord> stored, Optional<StopUnit> unit, List<App> apps) {

    /** The resource is read first: who registers or starts an app writes it last, so a change in between is noticed. */
    static ResourceSnapshot read(GuardDocuments documents, String id) {
        DocumentVersion<ResourceRecord> stored = documents.resource(id);
        Map<String, App> apps = documents.apps();
        Optional<StopUnit> unit = Topology.of(apps.values()).unit(id);
        Set<String> users = new HashSet<>(stored.value().apps());
        unit.ifPresent(found -> users.addAll(found.sharers()));
        if (documents.refresh(apps, users)) {
            unit = Topology.of(apps.values()).unit(id);
        }
        return of(stored, unit, apps);
    }

    /** From what was read before: good enough to tell whether a closer look is worth it. */
    static ResourceSnapshot of(DocumentVersion<ResourceRecord> stored, Optional<StopUnit> unit, Map<String, App> apps) {
        List<App> sharing = new ArrayList<>();
        unit.ifPresent(found -> found.sharers().forEach(name -> sharing.add(apps.get(name))));
        return new ResourceSnapshot(stored, unit.filter(found -> !found.sharers().isEmpty()), sharing);
    }

    /** What is stored of it. */
    ResourceRecord resource() {
        return stored.value();
    }

    /** The apps whose intents still hold: they use it, and are wished stopped. */
    Set<String> wishing() {
        Set<String> names = new TreeSet<>();
        for (App app : apps) {
            if (app.desired() == Desired.STOPPED && resource().intents().containsKey(app.name())) {
                names.add(app.name());
            }
        }
        return names;
    }

    /** Whether anybody wants it stopped. */
    boolean isWanted() {
        return !wishing().isEmpty();
    }

    /** Nobody uses it any more under this name. */
    boolean isGone() {
        return unit.isEmpty() || resource().movedTo().isPresent();
    }

    /** An app that was told to start and counts as starting. */
    Optional<App> starting(Instant now) {
        return apps.stream().filter(app -> app.isStarting(now)).findFirst();
    }

    /** Whether somebody may be stopping or starting it, or it is stopped. */
    boolean mayNotRun() {
        ResourceState state = resource().state();
        return state == ResourceState.STOPPING || state == ResourceState.STOPPED || state == ResourceState.STARTING;
    }
}
