package dev.holdfast.state.terraform;

import dev.holdfast.model.LostReason;
import dev.holdfast.state.versions.StateRefusal;

/** What became of an attempt to lock. */
public sealed interface LockAttempt {
    /** The lock is held by this ID, and the stack is claimed for it. */
    record Taken() implements LockAttempt {}

    /** Somebody else has it: the holder's LockInfo as it was sent, and whether the caller has a place in the queue now. */
    record Held(String lockInfo, boolean queued) implements LockAttempt {}

    /** It is not held, since the stack cannot be claimed for it: a later holder is known to the state already. */
    record Refused(StateRefusal why) implements LockAttempt {}

    /** The lock of this ID has ended, in this way; it can never be taken again. */
    record Over(LostReason how) implements LockAttempt {}
}
