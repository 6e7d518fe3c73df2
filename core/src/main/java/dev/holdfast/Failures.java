package dev.holdfast;

import dev.holdfast.internal.engine.machine.CallerContext;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.internal.parts.Uninterruptibly;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** How failures of the engine reach callers: the same exception, with the caller's stack in it. */
final class Failures {
    private Failures() {}

    static RuntimeException rethrown(ExecutionException wrapped) {
        Throwable cause = wrapped.getCause();
        if (cause instanceof RuntimeException failure) {
            failure.addSuppressed(new CallerStack());
            return failure;
        }
        return new IllegalStateException("the lock engine failed", cause);
    }

    /** Waits for an answer that comes in bounded time, and leaves an interrupt for the caller to see. */
    static <T> T join(CompletableFuture<T> answer) {
        try {
            return Uninterruptibly.get(answer); // a release must not be cut short: it is what frees the lock for others
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    /** An answer handed on away from the engine's threads, in the caller's context: its continuations may block. */
    static <A> CompletableFuture<A> relayed(CompletableFuture<A> from, Machine machine, UnaryOperator<Runnable> wrap) {
        AnswerFuture<A> to = new AnswerFuture<>(() -> {});
        relay(from, machine, CallerContext.taken(wrap), to::answer, to::fail);
        return to;
    }

    /**
     * The same for an answer that somebody must have.
     *
     * @param deliver makes of the answer what the caller gets, and gives it to the caller
     * @param fail tells the caller that there is none
     */
    static <A> void relay(
            CompletableFuture<A> from,
            Machine machine,
            Executor context,
            Consumer<A> deliver,
            Consumer<Throwable> fail) {
        CompletionStage<A> stage = from;
        stage.whenComplete((value, failure) -> {
            Runnable told = () -> {
                try {
                    if (failure == null) {
                        deliver.accept(value);
                    } else {
                        fail.accept(Causes.of(failure));
                    }
                } catch (Throwable e) { // a defect of ours: nobody else would tell the caller
                    fail.accept(e);
                }
            };
            machine.tell(Machine.ThreadLane.ANSWERS, () -> context.execute(told));
        });
    }

    /** Where in the caller's code the failure surfaced. */
    private static final class CallerStack extends RuntimeException {
        private static final long serialVersionUID = 1;

        CallerStack() {
            super("asked for here");
        }
    }
}
