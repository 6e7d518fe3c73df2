package dev.holdfast.state.document;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Work whose length depends on what others have saved. It asks between its steps, each of which is small, whether somebody still
 * waits for it.
 */
public record CancellableWork(String what, BooleanSupplier cancelled) {
    /** Before every step; throws {@link CancellationException} if it is to end. An interrupt stays set. */
    public void step() {
        if (cancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
            throw new CancellationException(what + " was cancelled; nothing was changed");
        }
    }
}
