package dev.holdfast.state.store;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.util.function.Function;

/** Takes the lock of a stack, claims, works, and releases; without waiting. */
public record OwnLock(LockClient locks, Claims claims) {
    /** What the work gives; {@code refused} applied to the reason if it could not be begun. */
    public <T> T run(
            Stack stack, Provenance by, String reason, Function<Lease, T> work, Function<StateRefusal, T> refused) {
        return taken(stack, by, reason)
                .fold(
                        done -> {
                            try (Lease lease = done.value()) {
                                ClaimOutcome claim = claims.claim(stack, lease.leaseId(), lease.token(), true);
                                return claim instanceof StateRefusal why ? refused.apply(why) : work.apply(lease);
                            }
                        },
                        busy -> refused.apply(Refusals.locked(stack, busy.holders(), busy.waiting())),
                        lost -> refused.apply(Refusals.notHeld(
                                stack, lost.reason(), locks.inspect().get(stack.lock()))));
    }

    private Attempt<Lease> taken(Stack stack, Provenance by, String reason) {
        // Asked without the calling thread: an interrupt that is already set must not keep a save from being made.
        return Uninterruptibly.answer(
                locks.acquireAsync(stack.lock(), o -> o.owner(by.by()).reason(reason)));
    }
}
