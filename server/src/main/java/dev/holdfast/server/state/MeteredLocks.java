package dev.holdfast.server.state;

import dev.holdfast.server.observe.metrics.AcquireOutcome;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.state.terraform.LockAttempt;
import dev.holdfast.state.terraform.LockMeter;
import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.util.Optional;

/** Counts locks of stacks like all others. */
record MeteredLocks(Meters meters) implements LockMeter {
    @Override
    public void acquired(Stack stack, Optional<LockAttempt> outcome, Duration took) {
        meters.acquired(stack.lock(), outcome.map(MeteredLocks::outcome).orElse(AcquireOutcome.ERROR), took);
    }

    private static AcquireOutcome outcome(LockAttempt attempt) {
        if (attempt instanceof LockAttempt.Held held) {
            return held.queued() ? AcquireOutcome.QUEUED : AcquireOutcome.BUSY;
        }
        if (attempt instanceof LockAttempt.Refused) {
            return AcquireOutcome.ERROR;
        }
        return attempt instanceof LockAttempt.Over ? AcquireOutcome.LOST : AcquireOutcome.GRANTED;
    }

    @Override
    public void renewed(Stack stack, Optional<Boolean> held) {
        meters.renewed(
                stack.lock(),
                held.map(it -> it ? RenewalOutcome.RENEWED : RenewalOutcome.LOST)
                        .orElse(RenewalOutcome.UNKNOWN));
    }

    @Override
    public void released(boolean wasHeld) {
        meters.released(wasHeld ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
    }
}
