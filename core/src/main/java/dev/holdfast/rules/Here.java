package dev.holdfast.rules;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Terms;
import java.util.Map;
import java.util.Optional;

/**
 * The engine that applies the rules, and the callers who are parked in it right now: they can be told at once, so a
 * hand-over gives them the full lease on their own terms. All others are offered it first.
 *
 * @param engine the engine
 * @param parked terms of the callers waiting in this process; read only while a rule is applied
 */
public record Here(EngineId engine, Map<LeaseId, Terms> parked) {
    /** An engine without parked callers. */
    public static Here of(EngineId engine) {
        return new Here(engine, Map.of());
    }

    /** The terms of a caller parked here. */
    Optional<Terms> terms(LeaseId leaseId) {
        return parked.isEmpty() ? Optional.empty() : Optional.ofNullable(parked.get(leaseId));
    }
}
