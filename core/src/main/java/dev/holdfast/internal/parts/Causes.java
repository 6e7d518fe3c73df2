package dev.holdfast.internal.parts;

import java.util.concurrent.CompletionException;

/** What really failed: a stage that follows another one wraps the failure it was handed. */
public final class Causes {
    private Causes() {}

    /** The failure, without what stages wrapped around it. */
    public static Throwable of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
