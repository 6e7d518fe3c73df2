package dev.holdfast.cli.admin;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import java.time.Duration;

/** Takes and releases a lock of its own a few times, through the same client as every program. */
final class LockTrial {
    private static final int ROUND_TRIPS = 20;
    /** If this process dies in the middle, nobody else is in need of its lock; it need not last. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private LockTrial() {}

    /** A lock no other {@code doctor} uses at the same time. */
    static LockKey key(String namespace) {
        return LockKey.of(
                namespace, "holdfast-doctor-" + ProcessHandle.current().pid());
    }

    /** Tells how long it took, and whether each token was greater than the one before. */
    static void run(LockClient locks, LockKey key, Checkup checkup) throws InterruptedException {
        long[] taken = new long[ROUND_TRIPS];
        long token = 0;
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            try (Lease lease =
                    locks.acquire(key, o -> o.reason("holdfast doctor").lease(LEASE))) {
                if (lease.token().value() <= token) {
                    checkup.fail(
                            "token " + lease.token() + " is not above the one before, " + token
                                    + ": nothing that checks tokens is protected",
                            ExitCodes.CHECK_SAID_NO);
                    return;
                }
                token = lease.token().value();
            }
            taken[i] = System.nanoTime() - start;
        }
        checkup.ok(
                ROUND_TRIPS + " locks taken and released: " + Checkup.spread(taken) + "; tokens grow, last " + token);
    }
}
