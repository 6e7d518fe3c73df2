package dev.holdfast.server.state;

import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.routes.Locks;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateManager;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the calls about state work with.
 *
 * @param locks the locks of the server
 * @param states the state
 * @param threads where that may block
 */
record Desk(Locks locks, StateManager states, Blocking threads) {

    /**
     * Who asks, for what; what of a call may be looked at on another thread than its own.
     *
     * @param stack which state
     * @param principal who
     * @param cause the same, for the audit
     */
    record Asker(Stack stack, Principal principal, Cause cause) {
        /** Whether it may act on this hold: its own, that of its group, or as admin. */
        boolean mayActOn(Hold hold) {
            return principal
                    .accountFor(stack.lock().record())
                    .mayActFor(hold.terms().account());
        }
    }

    /** Does something about the stack in the path, where it may block. */
    CompletableFuture<Reply> about(Call call, Role role, Function<Asker, Reply> work) {
        Asker asker = asker(call, role);
        return work(call, () -> work.apply(asker));
    }

    /** Who asks about the stack in the path, if it has this role. */
    static Asker asker(Call call, Role role) {
        Stack stack = stack(call);
        call.require(role, stack.lock().record());
        return new Asker(stack, call.principal(), call.cause());
    }

    /** The same for a call that takes no parameters. */
    CompletableFuture<Reply> plain(Call call, Role role, Function<Asker, Reply> work) {
        Query query = call.query();
        query.check();
        return about(call, role, work);
    }

    /** Does something where it may block, and goes on where the call is at home. The role must have been asked for. */
    <T> CompletableFuture<T> work(Call call, Supplier<T> work) {
        return call.here(threads.run(() -> {
            try {
                return work.get();
            } catch (RuntimeException e) {
                throw StateProblems.told(e);
            }
        }));
    }

    private static Stack stack(Call call) {
        try {
            return new Stack(call.name("stack"), call.name("environment"));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(String.valueOf(e.getMessage())).refused();
        }
    }
}
