package dev.holdfast.bench.peers.contender;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waiting for those that do not wait by themselves: asks again every millisecond, the shortest pause that is of use. */
final class BusyPolling {
    private static final long PAUSE_NANOS = 1_000_000;

    private BusyPolling() {}

    static <T> Optional<T> until(Duration wait, Callable<Optional<T>> attempt) throws Exception {
        long end = System.nanoTime() + wait.toNanos();
        while (true) {
            Optional<T> taken = attempt.call();
            if (taken.isPresent() || System.nanoTime() - end >= 0) {
                return taken;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
