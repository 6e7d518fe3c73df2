package dev.holdfast.internal.engine;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import org.jspecify.annotations.Nullable;

/**
 * What callers hear when the store fails: which lock, which store, what became of the request, what to do.
 *
 * @param key the lock
 * @param store the store's name
 */
record FailureWords(RecordKey key, String store) {
    /** Why a command was given up; doubt has its own name. */
    StoreException why(@Nullable Throwable failure, boolean inDoubt, int conflicts) {
        if (inDoubt) {
            return new OutcomeUnknownException(
                    "It is not known whether the last change of " + lock() + " reached the " + store
                            + " store. Check before acting on it; a lease that was granted unseen expires by itself",
                    failure);
        }
        if (failure instanceof StoreUnusableException unusable) {
            return unusable;
        }
        String cause = failure == null
                ? "others changed it first, " + conflicts + " times in a row; try again later"
                : String.valueOf(failure.getMessage());
        return new StoreUnavailableException(
                "The change of " + lock() + " on the " + store + " store failed and nothing was changed: " + cause,
                failure);
    }

    /** Its effect is there, but so long ago that the record has forgotten by whom. */
    StoreException settledByOthers() {
        return new OutcomeUnknownException(
                "The answer to the last change of " + lock() + " got lost on its way from the " + store
                        + " store, and so much has happened since that nobody can tell whether it was this change"
                        + " that ended the lease. It is not held any more",
                null);
    }

    /** The engine itself failed; what was sent may have arrived. */
    StoreException defect(Throwable defect, boolean sent) {
        String what = "The lock engine failed at " + lock() + ": " + defect;
        return sent
                ? new OutcomeUnknownException(what + ". It is not known whether the last change was made", defect)
                : new StoreUnavailableException(what + ". Nothing was changed", defect);
    }

    StoreException newer(LockRecord record) {
        return new StoreUnusableException(
                "The record of " + lock() + " was written in format " + record.format()
                        + " by a newer Holdfast; this one writes format " + LockRecord.FORMAT
                        + ". It can be read here; upgrade this process to change it",
                null);
    }

    StoreException noTime() {
        return new StoreUnavailableException("The time of the " + store + " store is not known yet", null);
    }

    StoreException early() {
        return new StoreUnavailableException(
                "The clock of the " + store
                        + " store has gone back: by that clock, leases that had ended have not ended yet",
                null);
    }

    private String lock() {
        return "lock '" + key.name() + "' in '" + key.namespace() + "'";
    }
}
