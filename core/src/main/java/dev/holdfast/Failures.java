package dev.holdfast;

import dev.holdfast.engine.machine.Machine;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

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
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true; // a release must not be cut short: it is what frees the lock for others
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** An answer handed on away from the engine's threads: the caller's continuations may block. */
    static <A, B> CompletableFuture<B> relayed(CompletableFuture<A> from, Function<A, B> change, Machine machine) {
        CompletableFuture<B> to = new CompletableFuture<>();
        CompletionStage<A> stage = from;
        stage.whenComplete((value, failure) -> machine.tell(() -> {
            if (failure == null) {
                to.complete(change.apply(value));
            } else {
                boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
                to.completeExceptionally(wrapped ? failure.getCause() : failure);
            }
        }));
        return to;
    }

    static void onCancel(CompletionStage<?> told, Runnable cancel) {
        told.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                cancel.run();
            }
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
