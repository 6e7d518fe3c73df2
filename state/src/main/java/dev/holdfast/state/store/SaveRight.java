package dev.holdfast.state.store;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.util.List;
import java.util.Optional;

/** Whether a lease may save now. */
public sealed interface SaveRight {
    /** It holds the lock now, under this token: the whole stack, or only a part. */
    record Held(Token token, boolean whole) implements SaveRight {}

    /** It may not; {@code why} is what its caller is told. */
    record Not(StateRefusal why) implements SaveRight {}

    /**
     * Judges a lease against the lock and against a document that was read <em>before</em>: a later holder either shows up in
     * the lock, or claims after this look and so changes the document's tag.
     */
    static SaveRight of(LockClient locks, Stack stack, LeaseId leaseId, Optional<DocumentHead> head) {
        return of(locks, stack, leaseId, head, Optional.empty());
    }

    /**
     * The same for a lease that was seen to hold the whole stack before the document was read. That order does as well for a whole
     * stack, whose token must be the claimed one: a later holder has claimed by then, or changes the document's tag.
     */
    static SaveRight of(
            LockClient locks, Stack stack, LeaseId leaseId, Optional<DocumentHead> head, Optional<Token> seen) {
        Token claimed = head.map(it -> Attributes.token(it.attributes())).orElse(Token.NONE);
        boolean ours = head.map(
                        it -> Attributes.lease(leaseId).equals(it.attributes().get(Attributes.LEASE)))
                .orElse(false);
        // A claim of this lease and a hold with the same token: it holds, known by reading alone.
        boolean known = ours && seen.filter(claimed::equals).isPresent();
        if (known || (ours && holdsWhole(locks.inspect().get(stack.lock()), claimed))) {
            return new Held(claimed, true);
        }
        Attempt<Holder> renewed = Uninterruptibly.answer(locks.renew(stack.lock(), leaseId));
        return renewed.fold(
                done -> judged(stack, done.value(), claimed),
                busy -> new Not(Refusals.locked(stack, busy.holders(), busy.waiting())),
                lost -> new Not(
                        Refusals.notHeld(stack, lost.reason(), locks.inspect().get(stack.lock()))));
    }

    /** The token of a hold that is certainly on the whole stack now, without knowing what time it is. */
    static Optional<Token> certain(Hold hold) {
        boolean whole = hold.isHeld()
                && hold.scope().equals(Scope.WHOLE)
                && hold.expiresAt().equals(Times.NEVER);
        return whole ? Optional.of(hold.token()) : Optional.empty();
    }

    private static boolean holdsWhole(LockView view, Token token) {
        return view.holders().stream()
                .anyMatch(it -> it.token().equals(token)
                        && it.paths().equals(List.of(LockPath.WHOLE))
                        && it.mode().equals(Mode.EXCLUSIVE));
    }

    private static SaveRight judged(Stack stack, Holder holder, Token claimed) {
        if (!holder.mode().equals(Mode.EXCLUSIVE)) {
            return new Not(Refusals.shared(stack));
        }
        boolean whole = holder.paths().contains(LockPath.WHOLE);
        int order = claimed.compareTo(holder.token());
        if (whole && order != 0) {
            return new Not(order > 0 ? Refusals.fenced(stack, claimed) : Refusals.notClaimed(stack));
        }
        return new Held(holder.token(), whole);
    }
}
