package dev.holdfast.guard;

import java.time.Instant;
import java.util.List;

/**
 * What was decided about a resource, and why.
 *
 * @param dbIdentifier which resource
 * @param outcome what was decided
 * @param reason why, for people
 * @param evidence what was known of every app that uses it
 * @param app whose stop or start it was
 * @param at when
 * @param fencingToken of the lock it was decided under; 0 without one
 * @param recordedOnly whether it is about an actuator that only records: then nothing was really stopped or started
 */
public record GuardDecision(
        String dbIdentifier,
        GuardOutcome outcome,
        String reason,
        List<Evidence> evidence,
        String app,
        Instant at,
        long fencingToken,
        boolean recordedOnly) {
    public GuardDecision {
        evidence = List.copyOf(evidence);
    }

    /** Whether it says the same as another, for the same causes, at another time. */
    public boolean repeats(GuardDecision other) {
        return outcome == other.outcome && app.equals(other.app) && causes().equals(other.causes());
    }

    private List<String> causes() {
        return evidence.isEmpty()
                ? List.of(reason)
                : evidence.stream().map(Evidence::toString).toList();
    }
}
