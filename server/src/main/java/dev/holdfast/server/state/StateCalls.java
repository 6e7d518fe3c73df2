package dev.holdfast.server.state;

import dev.holdfast.model.Cause;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.WorkPatience;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.audit.AuditedCaller;
import dev.holdfast.server.routes.LockCalls;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.terraform.LockCaller;
import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the calls about state work with.
 *
 * @param comparing where it may take long: nothing that saves or locks waits for those
 */
record StateCalls(
        LockCalls locks,
        StateManager states,
        Blocking threads,
        Blocking comparing,
        StackQuota quota,
        AuditTrail trail) {
    /** How long a comparison or a check of all versions may take. */
    private static final Duration COMPARED_WITHIN = Duration.ofSeconds(20);

    /** Who asks, for what; what of a call may be looked at on another thread than its own. */
    record StackCaller(Stack stack, Principal principal, Cause cause, AuditedCaller caller) {
        /** What it is about, as the audit tells it. */
        String resource() {
            return "/state/" + stack.name() + "/" + stack.environment();
        }

        LockCaller lockCaller() {
            return new LockCaller(
                    principal.name(),
                    principal.isAnonymous(),
                    principal.account(),
                    principal.accountFor(stack.lock().record()),
                    cause);
        }
    }

    /** Does something about the stack in the path, where it may block. */
    CompletableFuture<Reply> about(Call call, Role role, Function<StackCaller, Reply> work) {
        StackCaller asker = asker(call, role);
        return work(call, () -> work.apply(asker));
    }

    static StackCaller asker(Call call, Role role) {
        Stack stack = stack(call);
        call.require(role, stack.lock().record());
        return new StackCaller(stack, call.principal(), call.cause(), call.caller());
    }

    /** The same for a call that takes no parameters. */
    CompletableFuture<Reply> plain(Call call, Role role, Function<StackCaller, Reply> work) {
        call.query().check();
        return about(call, role, work);
    }

    /** Does something where it may block, and goes on where the call came from, on its event loop. The role must have been asked for. */
    <T> CompletableFuture<T> work(Call call, Supplier<T> work) {
        return call.here(threads.run(call, () -> told(work::get)));
    }

    private static <T> T told(Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (RuntimeException e) {
            throw StateProblems.told(e);
        }
    }

    /** What takes long, and changes nothing. */
    interface Comparison {
        Reply of(StackCaller asker, WorkPatience patience) throws Exception;
    }

    /** Does what takes long and changes nothing, as long as its client waits for it and not too long. */
    CompletableFuture<Reply> compare(Call call, Role role, Comparison work) {
        StackCaller asker = asker(call, role);
        return call.here(comparing.run(call, COMPARED_WITHIN, patience -> told(() -> work.of(asker, patience))));
    }

    private static Stack stack(Call call) {
        try {
            return new Stack(call.name("stack"), call.name("environment"));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(String.valueOf(e.getMessage()));
        }
    }
}
