package dev.holdfast.guard.resource;

import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.ResourceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A resource, what it is made of (empty if no app uses it), and who uses it, as read at one moment. */
public record ResourceSnapshot(DocumentVersion<ResourceRecord> stored, Optional<StopUnit> unit, List<App> apps) {

    /** From what was read before: good enough to tell whether a closer look is worth it. */
    public static ResourceSnapshot of(
            DocumentVersion<ResourceRecord> stored, Optional<StopUnit> unit, Map<String, App> apps) {
        List<App> sharing = new ArrayList<>();
        unit.ifPresent(found -> found.sharers().forEach(name -> sharing.add(apps.get(name))));
        return new ResourceSnapshot(
                stored, unit.filter(found -> !found.sharers().isEmpty()), sharing);
    }

    /** The same with other values: as if they had been read. */
    public ResourceSnapshot with(ResourceRecord resource, List<App> others) {
        return new ResourceSnapshot(new DocumentVersion<>(resource, stored.unchanged()), unit, others);
    }

    public ResourceRecord resource() {
        return stored.value();
    }

    /** The apps whose intents still hold: they use it, and are wished stopped. */
    public Set<String> wishing() {
        return apps.stream()
                .filter(app -> app.desired() == DesiredState.STOPPED)
                .map(App::name)
                .filter(resource().intents()::containsKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public boolean isWanted() {
        return !wishing().isEmpty();
    }

    /** Nobody uses it any more under this name. */
    public boolean isGone() {
        return unit.isEmpty() || resource().movedTo().isPresent();
    }

    /** An app that was told to start and counts as starting. */
    public Optional<App> starting(Instant now) {
        return apps.stream().filter(app -> app.isStarting(now)).findFirst();
    }

    /** Whether somebody may be stopping or starting it, or it is stopped. */
    public boolean mayNotRun() {
        ResourceState state = resource().state();
        return state == ResourceState.STOPPING || state == ResourceState.STOPPED || state == ResourceState.STARTING;
    }
}
