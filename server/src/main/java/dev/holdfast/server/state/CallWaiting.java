package dev.holdfast.server.state;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.routes.Waiters;
import dev.holdfast.state.terraform.LockWaiting;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Waits for a lock as long as its call stands. */
record CallWaiting(StateCalls calls, Call call) implements LockWaiting {
    @Override
    public <T> CompletableFuture<T> work(Supplier<T> work) {
        return calls.work(call, work);
    }

    @Override
    public CompletableFuture<Answer<AcquireResult>> ask(Request request) {
        LockEngine engine = calls.locks().engine();
        Waiters waiters = calls.locks().waiters();
        String namespace = request.key().namespace();
        String share = call.share();
        if (request.waitFor().isZero() || !waiters.enter(namespace, share)) {
            // Too many wait already: this one hears at once how it is, and polls.
            Acquisition once = engine.acquire(request.withoutWaiting());
            return call.whileStanding(call.here(once.answer()), once::cancel);
        }
        Acquisition acquisition = engine.acquire(request);
        waiters.park(acquisition, call.standing());
        call.ifGone(acquisition::leave);
        return call.whileStanding(call.here(acquisition.answer()), acquisition::cancel)
                .whenComplete((answer, failure) -> waiters.leave(namespace, share));
    }
}
