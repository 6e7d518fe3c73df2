package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.time.Anchor;
import java.util.List;
import java.util.Optional;

/**
 * Tells everybody what a round brought: those who asked, and those who wait and were handed the lock.
 *
 * @param commands the commands of the round
 * @param before the record they found
 * @param after the record as stored now
 * @param start from when leases granted in it count
 * @param words for what cannot be told
 */
record Delivery(
        List<QueuedCommand<?>> commands, LockRecord before, LockRecord after, Anchor start, FailureWords words) {

    void tell(boolean changed, KeyQueue queue) {
        for (QueuedCommand<?> queued : commands) {
            if (!toldGranted(queued)) {
                queued.tell(start, after, words);
            }
        }
        if (changed && !before.queue().isEmpty()) {
            tellParked(queue);
            tellAbandoned(queue);
        }
    }

    /** Somebody gave up the place of a caller who still waits here. */
    private void tellAbandoned(KeyQueue queue) {
        for (QueuedCommand<?> queued : commands) {
            if (queued.command instanceof Command.Release ask && before.position(ask.leaseId()) > 0) {
                queue.waitingOrNew().abandoned(ask.leaseId(), start, after);
            }
        }
    }

    /** A caller that queued and was handed the lock in the very same round hears only of the grant. */
    private boolean toldGranted(QueuedCommand<?> queued) {
        if (!(queued.command instanceof Command.Acquire ask) || !queued.isQueued()) {
            return false;
        }
        Optional<Hold> hold = after.hold(ask.leaseId()).filter(Hold::isHeld);
        if (hold.isEmpty()) {
            return false;
        }
        queued.tellInstead(new AcquireResult.Granted(hold.get(), after.past().done()), start, after);
        return true;
    }

    private void tellParked(KeyQueue queue) {
        for (Hold hold : after.holds()) {
            if (hold.isHeld() && before.position(hold.leaseId()) > 0 && !isAsked(hold.leaseId())) {
                queue.handedOver();
                queue.waitingOrNew().granted(hold, start, after);
            }
        }
    }

    private boolean isAsked(LeaseId leaseId) {
        for (QueuedCommand<?> queued : commands) {
            if (queued.command instanceof Command.Acquire ask && ask.leaseId().equals(leaseId)) {
                return true;
            }
        }
        return false;
    }
}
