package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import java.util.Optional;

/** Lets tokens pass in rising order, for each resource. */
interface TokenGate {
    /** That a newer token has been seen, if one has; otherwise this one is recorded, in one atomic step. A dry run records nothing. */
    Optional<ActResult> refusal(ActTarget target) throws ActFailure;
}
