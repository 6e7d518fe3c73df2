package dev.holdfast.guard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
 * @param act what its actuator said, if it was told to do something
 */
public record GuardDecision(
        String dbIdentifier,
        GuardOutcome outcome,
        String reason,
        List<Evidence> evidence,
        String app,
        Instant at,
        long fencingToken,
        boolean recordedOnly,
        Optional<Act> act) {
    /** What an actuator said when it was told to stop or start the resource; {@code failed} if it could not, or could not say. */
    public record Act(boolean failed, String said) {}

    public GuardDecision {
        evidence = List.copyOf(evidence);
    }

    /** One without an act. */
    public GuardDecision(
            String dbIdentifier,
            GuardOutcome outcome,
            String reason,
            List<Evidence> evidence,
            String app,
            Instant at,
            long fencingToken,
            boolean recordedOnly) {
        this(dbIdentifier, outcome, reason, evidence, app, at, fencingToken, recordedOnly, Optional.empty());
    }

    /** The same, after an act. */
    public GuardDecision after(Act done) {
        return new GuardDecision(
                dbIdentifier, outcome, reason, evidence, app, at, fencingToken, recordedOnly, Optional.of(done));
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
