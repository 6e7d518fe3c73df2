package dev.holdfast.guard.rules;

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
    /** As it is shown with a decision. */
    public List<Evidence> evidence() {
        return each.stream().map(AppObservation::evidence).toList();
    }
}
