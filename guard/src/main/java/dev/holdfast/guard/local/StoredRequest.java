package dev.holdfast.guard.local;

import dev.holdfast.failure.HoldfastException;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.spi.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stop or start that is stored, and so happens, whatever fails from here on. A failure says only that it is not decided yet: told as
 * a failure, its caller would believe that nothing was changed.
 */
record StoredRequest(GuardContext context, Judge judge, String app, ResourceFacts.Errand errand) {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRequest.class);

    /** Judges a resource now; {@link GuardOutcome#PENDING} if that fails. */
    GuardDecision judged(String id) {
        try {
            return judge.now(id, app, errand);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pending(id, LocalGuard.CLOSED);
        } catch (HoldfastException | GuardBusyException e) {
            return pending(id, why(e));
        }
    }

    /** What the store itself said: around it stands that the lock was not changed, which is not meant of the request. */
    private static String why(RuntimeException failure) {
        Throwable said = failure;
        while (said.getCause() instanceof StoreException cause) {
            said = cause;
        }
        return String.valueOf(said.getMessage());
    }

    /** What is told of a resource that could not be judged. */
    GuardDecision pending(String id, String why) {
        String what = errand == ResourceFacts.Errand.START ? "start" : "stop";
        LOG.warn("The {} of app {} is stored, and resource {} could not be finished yet: {}", what, app, id, why);
        return new ResourceFacts.Task(id, errand, app, 0)
                .unjudged(
                        GuardOutcome.PENDING,
                        "the " + what + " is stored and continues by itself; it could not be finished now: " + why,
                        context.clock().instant());
    }
}
