package dev.holdfast.guard.local;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Note;
import dev.holdfast.model.Token;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells everybody of a decision once it is stored: the decision log, the counters, and the history of the lock. */
record DecisionPublisher(LockClient locks, GuardMeter meter, DecisionLog log) implements GuardContext.DecisionSink {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionPublisher.class);
    /** A reason in a history is short. */
    private static final int MAX_REASON = 500;
    /** Evidence in a history; all of it is with the resource. */
    private static final int MAX_EVIDENCE = 2_000;

    @Override
    public void tell(GuardDecision decision, String by, Optional<Lease> lease) {
        log.decided(decision);
        if (decision.outcome() == GuardOutcome.NEEDED) {
            LOG.warn("Database {} is stopped and needed: {}", decision.dbIdentifier(), decision.reason());
        }
        meter.decided(decision);
        String evidence = decision.evidence().stream().map(Evidence::toString).collect(Collectors.joining(" "));
        Note note = new Note(
                EventType.GUARD_DECISION,
                LockPath.WHOLE,
                lease.map(Lease::leaseId),
                by,
                lease.map(Lease::token).orElse(Token.NONE),
                bounded(decision.reason(), MAX_REASON),
                Map.of(
                        "decision", decision.outcome().label(),
                        "db_identifier", decision.dbIdentifier(),
                        "app", decision.app(),
                        "recorded_only", Boolean.toString(decision.recordedOnly()),
                        "evidence", bounded(evidence, MAX_EVIDENCE)));
        // The decision is stored; that the history lacks it must not undo it.
        var unused = locks.remember(ResourceLeases.key(decision.dbIdentifier()), note)
                .whenComplete((noted, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "A decision about {} is missing in the history of its lock: {}",
                                decision.dbIdentifier(),
                                failure.toString());
                    }
                });
    }

    private static String bounded(String text, int most) {
        String clean = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ");
        return clean.length() <= most ? clean : clean.substring(0, most - 3) + "...";
    }
}
