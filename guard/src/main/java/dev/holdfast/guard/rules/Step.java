package dev.holdfast.guard.rules;

import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.resource.ResourceRecord;
import java.util.function.UnaryOperator;

/** What a pass does next, as a value: {@link GuardRules} decides it, {@code ResourcePass} does it, {@code DryRun} tells it. */
public sealed interface Step {
    /** One that ends in a decision. */
    sealed interface Ending extends Step {
        GuardDecision decision();
    }

    /** What an actuator is told. */
    enum Kind {
        STOP,
        /** To say what a stop would do. */
        STOP_DRY,
        START
    }

    /** What else must be known. */
    enum Ask implements Step {
        /** What the resource does, from its actuator. */
        STATE,
        /** How its apps are. */
        APPS
    }

    /** It is decided: the resource is written if it is as it was read, with the decision unless that only repeats the last one. */
    record Decide(ResourceRecord next, GuardDecision decision) implements Ending {}

    /** Only another look is missing: whoever has the time writes what was counted, waits and looks again; else it is decided. */
    record Confirm(ResourceRecord next, GuardDecision decision) implements Ending {}

    /**
     * Before anything is done, it is written that it will be, with a decision that says so; then the actuator is told, with the
     * reason, if nobody has changed the resource.
     */
    record Act(Kind kind, ResourceRecord next, GuardDecision going, String reason) implements Step {}

    /** Its actuator is asked, with the reason, what a stop would do; apart from what that says, this is the decision. */
    record Rehearse(String reason, GuardDecision decision) implements Step {}

    /**
     * It was done: that is written however the resource has changed meanwhile, unless a later holder of the lock has acted. It
     * goes on if there is more to judge.
     */
    record Settle(UnaryOperator<ResourceRecord> change, GuardDecision decision, boolean goesOn) implements Ending {}

    /** Nothing is decided about it: it is only written, if that changes anything. */
    record Clear(ResourceRecord next, GuardDecision decision) implements Ending {}

    /** There is nothing to write. */
    record End(GuardDecision decision) implements Ending {}
}
