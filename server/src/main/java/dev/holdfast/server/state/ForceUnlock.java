package dev.holdfast.server.state;

import dev.holdfast.Holder;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Token;
import dev.holdfast.rules.ForceResult;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.routes.Locks;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Stack;
import java.util.List;

/**
 * Terraform's {@code force-unlock}, which sends neither an ID nor a reason: ends whoever holds the stack, or a part of it, as far as
 * the policy allows. So does an unlock with the ID of another's lock, which is shown to all who look. Audited like every force; who
 * held is fenced for ever.
 */
final class ForceUnlock {
    private static final String REASON = "terraform force-unlock";

    private final Locks locks;
    private final StateManager states;
    private final ForcePolicy policy;

    ForceUnlock(Locks locks, StateManager states, ForcePolicy policy) {
        this.locks = locks;
        this.states = states;
        this.policy = policy;
    }

    /** Ends the holds there are; how many. A hold that ends by itself meanwhile is not counted, one that begins is left alone. */
    int end(Stack stack, Cause cause) {
        return end(stack, locks.client().inspect().get(stack.lock()).holders(), cause);
    }

    /** Ends the hold with this token, if there still is one. */
    int end(Stack stack, Token token, Cause cause) {
        List<Holder> meant = locks.client().inspect().get(stack.lock()).holders().stream()
                .filter(holder -> holder.token().equals(token))
                .toList();
        return end(stack, meant, cause);
    }

    private int end(Stack stack, List<Holder> holders, Cause cause) {
        holders.forEach(holder -> check(stack, holder));
        int ended = 0;
        for (Holder holder : holders) {
            ForceResult result = Waited.on(locks.engine().force(stack.lock().record(), holder.token(), REASON, cause))
                    .result();
            ended += result instanceof ForceResult.Forced ? 1 : 0;
        }
        if (ended > 0) {
            states.showLock(stack);
        }
        return ended;
    }

    private void check(Stack stack, Holder holder) {
        String held = "The lock of stack '" + stack.name() + "' in '" + stack.environment() + "', held by '"
                + holder.owner() + "', ";
        if (policy == ForcePolicy.DENY) {
            throw Problem.of(
                            403,
                            "force-unlock-denied",
                            held + "cannot be ended by terraform here (state.force-unlock: deny). Ask an admin for:"
                                    + " holdfast unlock -N deploy "
                                    + stack.lock().record().name())
                    .refused();
        }
        if (policy == ForcePolicy.STALE_ONLY && !holder.stale()) {
            throw Problem.of(
                            409,
                            "not-stale",
                            held + "does not look stale yet, and only stale locks can be ended by terraform here"
                                    + " (state.force-unlock: stale-only). Wait, or ask its holder")
                    .refused();
        }
    }
}
