package dev.holdfast.guard.rules;

import dev.holdfast.guard.App;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.resource.ResourceRecord;
import java.util.List;
import java.util.NavigableMap;

/**
 * What one look says of each app.
 *
 * @param each one for each app
 * @param counts what to store so that the next look goes on counting
 * @param over stored runs of failures this look has ended
 */
public record AppObservations(
        List<AppObservation> each, NavigableMap<String, ResourceRecord.Downs> counts, List<ResourceRecord.Downs> over) {
    /** As it is shown with a decision, which takes so many looks to confirm that an app is down. */
    public List<Evidence> evidence(int confirmations) {
        return each.stream()
                .map(seen -> seen.evidence().standing(StopRules.standing(seen, confirmations)))
                .toList();
    }

    /** Those of these that were told to start and are seen up: they have started. */
    public List<App> started(List<App> apps) {
        return apps.stream()
                .filter(app -> app.startingUntil().isPresent()
                        && each.stream()
                                .anyMatch(seen -> seen.isUp() && seen.app().equals(app.name())))
                .toList();
    }
}
