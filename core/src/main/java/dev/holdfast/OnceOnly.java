package dev.holdfast;

import dev.holdfast.model.Done;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Names;
import dev.holdfast.rules.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Work done once per generation; the marker of the last completed one is kept in the lock's record. */
final class OnceOnly {
    /** How long the others wait for the one who does it. */
    private static final Duration WAIT = Duration.ofMinutes(5);

    private final LockClient client;
    private final LockService service;
    private final LockKey key;
    private final String generation;

    OnceOnly(LockClient client, LockService service, LockKey key, String generation) {
        this.client = client;
        this.service = service;
        this.key = key;
        this.generation = Names.text("generation", generation, 1);
    }

    Once run(Consumer<AcquireOptions> options, LockClient.Work<?> work) throws Exception {
        Optional<Done> before = Failures.join(service.look(key.record())).done();
        if (isThis(before)) { // most calls end here, without taking the lock
            return new Once.AlreadyDone(before.get());
        }
        Attempt<HeldLease> taken = client.tryHold(key, o -> options.accept(o.wait(WAIT)));
        if (taken instanceof Attempt.Busy<HeldLease> busy) {
            return new Once.StillRunning(busy.holders());
        }
        try (HeldLease lease = taken.orThrow(key)) {
            if (isThis(lease.doneBefore())) { // while this one waited
                lease.closeUnused();
                return new Once.AlreadyDone(lease.doneBefore().get());
            }
            return runUnder(lease, work);
        }
    }

    private Once runUnder(HeldLease lease, LockClient.Work<?> work) throws Exception {
        work.run(lease);
        Optional<LostReason> lost = lease.afterWork(Command.Ending.done(generation));
        return lost.isPresent() ? new Once.Lost(lost.get()) : new Once.Ran();
    }

    private boolean isThis(Optional<Done> done) {
        return done.filter(d -> d.generation().equals(generation)).isPresent();
    }
}
