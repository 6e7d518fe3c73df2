package dev.holdfast.state.terraform;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Token;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.terraform.LockDeniedException.Reason;
import dev.holdfast.state.versions.Stack;
import java.util.List;
import java.util.function.Predicate;

/**
 * Terraform's {@code force-unlock}, which sends neither an ID nor a reason: ends whoever holds the stack, or a part of it, as far as
 * the policy allows. So does an unlock with the ID of another's lock, which is shown to all who look. Audited like every force; who
 * held is fenced for ever.
 */
record ForceUnlock(LockClient client, LockEngine engine, StateManager states, ForcePolicy policy) {
    private static final String REASON = "terraform force-unlock";

    /** Ends the holds there are; whether there was one. A hold that ends by itself meanwhile is not counted, one that begins is left alone. */
    boolean end(Stack stack, Cause cause) {
        return end(stack, holder -> true, cause);
    }

    /** Ends the hold with this token, if there still is one. */
    boolean end(Stack stack, Token token, Cause cause) {
        return end(stack, holder -> holder.token().equals(token), cause);
    }

    private boolean end(Stack stack, Predicate<Holder> meant, Cause cause) {
        List<Holder> holders = client.inspect().get(stack.lock()).holders().stream()
                .filter(meant)
                .toList();
        holders.forEach(holder -> check(stack, holder));
        boolean ended = false;
        for (Holder holder : holders) {
            ForceResult result = Uninterruptibly.answer(
                            engine.force(stack.lock().record(), holder.token(), REASON, cause))
                    .result();
            ended |= result instanceof ForceResult.Forced;
        }
        if (ended) {
            states.showLock(stack);
        }
        return ended;
    }

    private void check(Stack stack, Holder holder) {
        String held = "The lock of stack '" + stack.name() + "' in '" + stack.environment() + "', held by '"
                + holder.owner() + "', ";
        if (policy == ForcePolicy.DENY) {
            throw new LockDeniedException(
                    Reason.FORCE_DENIED,
                    held + "cannot be ended by terraform here (state.force-unlock: deny). Ask an admin for:"
                            + " holdfast unlock -N deploy "
                            + stack.lock().record().name());
        }
        if (policy == ForcePolicy.STALE_ONLY && !holder.stale()) {
            throw new LockDeniedException(
                    Reason.NOT_STALE,
                    held + "does not look stale yet, and only stale locks can be ended by terraform here"
                            + " (state.force-unlock: stale-only). Wait, or ask its holder");
        }
    }
}
