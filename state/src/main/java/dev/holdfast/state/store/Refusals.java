package dev.holdfast.state.store;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The words of refusals. */
final class Refusals {
    private Refusals() {}

    static StateRefusal fenced(Stack stack, Token newer) {
        return refused(
                StateRefusal.Reason.FENCED,
                stack,
                " was claimed by a later holder (token " + newer
                        + "). This lease can never save again; take the lock again, and load before saving");
    }

    static StateRefusal notHeld(Stack stack, LostReason lost, LockView view) {
        return new StateRefusal(
                StateRefusal.Reason.NOT_HELD,
                what(stack) + " is not locked by this lease (" + lost.name().toLowerCase(Locale.ROOT) + ")"
                        + holder(view.holders())
                        + ". Nothing was saved; take the lock again, and load before saving",
                Optional.of(lost),
                view.holders());
    }

    static StateRefusal notClaimed(Stack stack) {
        return refused(
                StateRefusal.Reason.NOT_CLAIMED,
                stack,
                " was not claimed by this lease. Claim it, load again, then save");
    }

    static StateRefusal shared(Stack stack) {
        return refused(
                StateRefusal.Reason.SHARED, stack, " is saved only under an exclusive lock; this lease shares it");
    }

    static StateRefusal conflict(Stack stack, Optional<String> loaded, Optional<String> current) {
        return refused(
                StateRefusal.Reason.CONFLICT,
                stack,
                " changed after it was loaded: the change was made from "
                        + loaded.orElse("nothing") + ", current is " + current.orElse("nothing")
                        + ". Load again, merge, save");
    }

    static StateRefusal changedSinceSeen(Stack stack, Optional<String> seen) {
        return refused(
                StateRefusal.Reason.CONFLICT,
                stack,
                " was changed by somebody else: "
                        + seen.map(it -> "version " + it).orElse("no version")
                        + " was current when it was looked at. Nothing was restored; check again what would change");
    }

    static StateRefusal locked(Stack stack, List<Holder> holders, int waiting) {
        return new StateRefusal(
                StateRefusal.Reason.LOCKED,
                what(stack) + " is locked"
                        + (holders.isEmpty() ? "; " + waiting + " who came first wait for it" : holder(holders))
                        + ". Wait until it is released, or ask its holder",
                Optional.empty(),
                holders);
    }

    static StateRefusal onlyPart(Stack stack) {
        return refused(
                StateRefusal.Reason.LOCKED,
                stack,
                " can be deleted only by the holder of the whole stack; this lease holds a part");
    }

    private static StateRefusal refused(StateRefusal.Reason reason, Stack stack, String why) {
        return new StateRefusal(reason, what(stack) + why, Optional.empty(), List.of());
    }

    private static String what(Stack stack) {
        return "State of stack '" + stack.name() + "' in '" + stack.environment() + "'";
    }

    private static String holder(List<Holder> holders) {
        return holders.isEmpty()
                ? ""
                : "; held by '" + holders.get(0).owner() + "' since "
                        + holders.get(0).grantedAt();
    }
}
