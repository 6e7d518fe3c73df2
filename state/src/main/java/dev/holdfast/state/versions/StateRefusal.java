package dev.holdfast.state.versions;

import dev.holdfast.Holder;
import dev.holdfast.model.LostReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * It was not done, and nothing was changed.
 *
 * @param reason why
 * @param message what happened, to which stack, and what to do next
 * @param lost how the lease ended, where that is the reason
 * @param holders who holds the stack's lock, as far as known
 */
public record StateRefusal(Reason reason, String message, Optional<LostReason> lost, List<Holder> holders)
        implements ClaimOutcome, SaveOutcome, RestoreOutcome, DeleteOutcome {
    public StateRefusal {
        holders = List.copyOf(holders);
    }

    /** Why something was refused. */
    public enum Reason {
        /** The lease does not hold the stack's lock now: released, expired, ended by force, or never granted. */
        NOT_HELD,
        /** A later holder has claimed the stack: this one is fenced for ever. */
        FENCED,
        /** The lease holds the lock, but did not claim the stack when it took it. Claim, load again, then save. */
        NOT_CLAIMED,
        /** Somebody saved after the version this change was made from. Load again, merge, save. */
        CONFLICT,
        /** Others hold the lock, or part of it. */
        LOCKED,
        /** The lease shares the lock with others; state is saved only under an exclusive one. */
        SHARED;

        /** As in events and answers: lower case with dashes. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
