package dev.holdfast;

import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.Done;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Names;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Work done once per generation; the marker of the last completed one is kept in the lock's record. A store that cannot be used
 * is asked again until the wait is over: those who only wait for the work need not fail because many do.
 */
final class OnceOnly {
    /** How long the others wait for the one who does it. */
    private static final Duration WAIT = Duration.ofMinutes(5);
    /** Before a store that was too busy is asked again. */
    private static final long MAX_PAUSE_MILLIS = 2_000;

    private final ServiceClient client;
    private final LockService service;
    private final LockKey key;
    private final String generation;

    OnceOnly(ServiceClient client, LockService service, LockKey key, String generation) {
        this.client = client;
        this.service = service;
        this.key = key;
        this.generation = Names.text("generation", generation, 1);
    }

    <X extends Exception> Once run(Consumer<AcquireOptions> options, LockClient.Task<X> task)
            throws X, InterruptedException {
        AcquireOptions asked = new AcquireOptions(WAIT);
        options.accept(asked);
        long start = service.machine().time().nanos();
        while (true) {
            Duration wait = left(asked.wait, start);
            Attempt<HeldLease> taken;
            try {
                Optional<Done> before =
                        Failures.join(service.look(key.record())).done();
                if (isThis(before)) { // most calls end here, without taking the lock
                    return new Once.AlreadyDone(before.get());
                }
                taken = client.tryHold(key, o -> {
                    options.accept(o);
                    o.waitUpTo(wait);
                });
            } catch (StoreUnavailableException e) {
                // Nothing was changed. Of a crowd that starts together, some find the store too busy for a while.
                if (wait.isZero()) {
                    throw e;
                }
                long millis = ThreadLocalRandom.current().nextLong(MAX_PAUSE_MILLIS / 4, MAX_PAUSE_MILLIS);
                service.machine().pause(Duration.ofMillis(millis));
                continue;
            }
            return taken instanceof Attempt.Busy<HeldLease> busy
                    ? new Once.StillRunning(key, busy.holders())
                    : runUnder(taken.orThrow(), task);
        }
    }

    private <X extends Exception> Once runUnder(HeldLease taken, LockClient.Task<X> task) throws X {
        try (HeldLease lease = taken) {
            if (isThis(lease.doneBefore())) { // while this one waited
                lease.closeUnused();
                return new Once.AlreadyDone(lease.doneBefore().get());
            }
            task.run(lease.forOnce());
            Optional<LostReason> lost = lease.afterWork(Command.Ending.done(generation));
            return lost.isPresent() ? new Once.Lost(key, lost.get()) : new Once.Ran();
        }
    }

    private Duration left(Duration wait, long start) {
        if (wait.equals(AcquireOptions.FOREVER)) {
            return wait;
        }
        Duration left = wait.minusNanos(service.machine().time().nanos() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private boolean isThis(Optional<Done> done) {
        return done.filter(d -> d.generation().equals(generation)).isPresent();
    }
}
