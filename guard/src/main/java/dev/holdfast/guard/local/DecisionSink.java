package dev.holdfast.guard.local;

import dev.holdfast.Lease;
import dev.holdfast.guard.GuardDecision;
import java.util.Optional;

/** Who is told of a decision once it is stored. Must not throw. */
interface DecisionSink {
    /** It was decided, by this owner of the lock; under this lease, if the lock was held. */
    void tell(GuardDecision decision, String by, Optional<Lease> lease);
}
