package dev.holdfast.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** How to close what was opened so far: in the opposite order. A part that fails to close keeps no other open. For one thread. */
final class ClosingSteps implements AutoCloseable {
    private final Deque<Runnable> newestFirst = new ArrayDeque<>();

    /** From now on this is done at the end, before everything that was added earlier. */
    Runnable closing(Runnable step) {
        newestFirst.push(step);
        return step;
    }

    /** The same for this part, which is given back. */
    <T> T with(T part, Consumer<T> close) {
        closing(() -> close.accept(part));
        return part;
    }

    void handedOver(Runnable step) {
        newestFirst.remove(step);
    }

    /** Closes everything; throws the first failure, with the others in it, when all was tried. */
    @Override
    public void close() {
        RuntimeException first = null;
        while (!newestFirst.isEmpty()) {
            try {
                newestFirst.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
