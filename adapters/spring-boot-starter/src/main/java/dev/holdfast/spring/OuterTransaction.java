package dev.holdfast.spring;

import dev.holdfast.Lease;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that a method marked {@link WithLock} is called in. It ends after the method, so the release is left to it: otherwise the next
 * holder would read what is not committed yet.
 */
final class OuterTransaction {
    /** Leaves the release to the transaction of this thread, if there is one; says whether. */
    boolean join(Lease lease, CurrentLease.ThreadLease held) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        lease.releaseAfter((beforeCommit, afterEnd) ->
                TransactionSynchronizationManager.registerSynchronization(synchronization(beforeCommit, () -> {
                    held.end();
                    afterEnd.run();
                })));
        return true;
    }

    private static TransactionSynchronization synchronization(Runnable beforeCommit, Runnable afterEnd) {
        return new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                beforeCommit.run();
            }

            @Override
            public void afterCompletion(int status) {
                afterEnd.run();
            }
        };
    }
}
