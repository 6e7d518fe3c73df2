package dev.holdfast.internal.engine;

import dev.holdfast.internal.parts.Leftovers;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.Hold;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The three kinds of acquisition: answered at once, tried, and waited for. */
final class Acquisitions {
    private Acquisitions() {}

    record Immediate(CompletableFuture<Answer<AcquireResult>> answer) implements Acquisition {
        @Override
        public void cancel() {}

        @Override
        public void leave() {}
    }

    record Queueing(Waiting waiting, ParkedCaller caller) implements Acquisition {
        @Override
        public CompletableFuture<Answer<AcquireResult>> answer() {
            return caller.told;
        }

        @Override
        public void cancel() {
            waiting.cancel(caller);
        }

        @Override
        public void leave() {
            waiting.timeUp(caller);
        }
    }

    /**
     * A try that does not wait.
     *
     * @param decided what the store answered
     * @param answer what the caller is told
     * @param giveBack takes back what was granted to a caller who went away
     */
    record Trying(
            CompletableFuture<Answer<AcquireResult>> decided,
            CompletableFuture<Answer<AcquireResult>> answer,
            Leftovers leftovers,
            Function<Hold, CompletableFuture<Void>> giveBack)
            implements Acquisition {
        @Override
        public void cancel() {
            answer.completeExceptionally(new CancellationException("no longer asked for"));
            var unused = leftovers.giveUp(() -> decided.thenCompose(this::takeBack));
        }

        private CompletableFuture<Void> takeBack(Answer<AcquireResult> told) {
            return told.result() instanceof AcquireResult.Granted granted && !granted.again()
                    ? giveBack.apply(granted.hold())
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public void leave() {
            cancel();
        }
    }
}
