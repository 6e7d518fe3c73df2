package dev.holdfast.internal.rules;

import dev.holdfast.model.Cause;
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
 * @param parked the callers waiting in this process; read only while a rule is applied
 * @param cause who asks for what is decided
 */
public record DecidingEngine(EngineId engine, Map<LeaseId, Parking> parked, Cause cause) {
    /**
     * What a parked caller asked for.
     *
     * @param terms of its hold
     * @param cause its request
     */
    public record Parking(Terms terms, Cause cause) {}

    /** An engine without parked callers. */
    public static DecidingEngine of(EngineId engine) {
        return new DecidingEngine(engine, Map.of(), Cause.OWNER);
    }

    /** The same place, for something asked by somebody. */
    public DecidingEngine on(Cause behalf) {
        return behalf.equals(cause) ? this : new DecidingEngine(engine, parked, behalf);
    }

    /** What a caller parked here asked for. */
    Optional<Parking> parking(LeaseId leaseId) {
        return parked.isEmpty() ? Optional.empty() : Optional.ofNullable(parked.get(leaseId));
    }
}
