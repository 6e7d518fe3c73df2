package dev.holdfast.server.http.edge;

import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.server.http.Problem;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/** What is told when something failed. A failure of the store is never an answer about a lock. */
final class FailureProblems {
    private static final String INTERNAL = "internal";
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(5);

    private FailureProblems() {}

    static Problem problem(Throwable failure, String requestId) {
        Throwable cause = Causes.of(failure);
        if (cause instanceof Problem.Refused refused) {
            return refused.problem();
        }
        if (cause instanceof OutcomeUnknownException) {
            return Problem.of(503, "outcome-unknown", words(cause)).retryAfter(SOON);
        }
        if (cause instanceof StoreUnusableException) {
            return Problem.of(503, "store-unusable", words(cause)).retryAfter(LATER);
        }
        if (cause instanceof StoreException) {
            return Problem.of(503, "store-unavailable", words(cause)).retryAfter(SOON);
        }
        if (cause instanceof CancellationException || cause instanceof ClientClosedException) {
            return Problem.STOPPING; // the engine closed before it was asked, or while it waited
        }
        return Problem.of(
                500, INTERNAL, "The server failed. Look for request_id " + requestId + " in its log, and report it");
    }

    static boolean isDefect(Problem problem) {
        return problem.code().equals(INTERNAL);
    }

    private static String words(Throwable cause) {
        return String.valueOf(cause.getMessage());
    }
}
