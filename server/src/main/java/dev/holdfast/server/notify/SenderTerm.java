package dev.holdfast.server.notify;

import dev.holdfast.Lease;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time in which this replica is the sender. Safe for any thread. */
final class SenderTerm {
    private final Lease lease;
    private final CountDownLatch ended = new CountDownLatch(1);

    SenderTerm(Lease lease) {
        this.lease = lease;
        lease.onLost(reason -> end());
    }

    Token token() {
        return lease.token();
    }

    /** Whether something may be sent: certainly no other replica does. */
    boolean isCurrent() {
        return ended.getCount() > 0 && lease.isValid();
    }

    void end() {
        ended.countDown();
    }

    /** Waits that long, or until it is over; whether it goes on. */
    boolean goesOnAfter(Duration pause) throws InterruptedException {
        return !ended.await(pause.toNanos(), TimeUnit.NANOSECONDS) && lease.isValid();
    }
}
