package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What happens to locks besides their use: old messages, strangers, operators, and helpers who know a lease id. */
record Meddler(World world, Simulation run, Node node, LockEngine engine) {
    /** The network delivers an old acquire once more, here or at another process. */
    void lateDuplicate(Request request, Runnable then) {
        Request late = request.withoutWaiting();
        run.checker().askedAgain(late.leaseId());
        run.afterIn(node, run.anyEngine().acquire(late, Calling.BLOCKING).answer(), (answer, failure) -> {
            if (answer != null && answer.result() instanceof AcquireResult.Granted) {
                world.trace(() -> "late duplicate of " + late.leaseId() + " granted");
            }
            then.run();
        });
    }

    /** Renews and releases what it does not hold. */
    void meddle(RecordKey key, Runnable then) {
        LeaseId wrong = engine.newLeaseId();
        run.afterIn(node, engine.release(key, wrong), (answer, failure) -> {
            if (answer != null && answer.result() == ReleaseResult.RELEASED) {
                throw new Violation("S3", "a stranger's release of " + key + " was accepted");
            }
        });
        run.afterIn(node, engine.renew(key, wrong, Optional.empty()), (answer, failure) -> {
            if (answer != null && answer.result() instanceof RenewResult.Renewed) {
                throw new Violation("S3", "a stranger's renewal of " + key + " was accepted");
            }
            then.run();
        });
    }

    /** Somebody who knows the id renews it from anywhere, for another length. */
    void renewElsewhere(RecordKey key, LeaseId id) {
        Optional<Duration> length = world.happens(0.3) ? Optional.empty() : Optional.of(length());
        world.trace(() -> id + " is renewed elsewhere for " + length);
        run.afterIn(node, run.anyEngine().renew(key, id, length), (answer, failure) -> {
            if (answer != null && answer.result() instanceof RenewResult.Lost) {
                run.checker().toldLost(id, run.stored(key));
            }
        });
    }

    /** The same acquisition is asked for again, for another length, while it is held. */
    void askAgain(Request request) {
        Duration lease = length();
        Terms terms = new Terms(lease, Duration.ZERO, request.terms().minHold(), Map.of(), "");
        Request again = new Request(
                request.key(),
                request.leaseId(),
                request.scope(),
                request.owner(),
                terms,
                Duration.ZERO,
                Duration.ZERO);
        world.trace(() -> request.leaseId() + " is asked for again for " + lease);
        run.afterIn(node, run.anyEngine().acquire(again, Calling.BLOCKING).answer(), (answer, failure) -> {
            if (answer != null && answer.result() instanceof AcquireResult.Lost) {
                run.checker().toldLost(request.leaseId(), run.stored(request.key()));
            }
        });
    }

    private Duration length() {
        return Duration.ofMillis(world.chance.nextInt(150, 4_000));
    }

    /** An operator looks, thinks, and forces what it saw. */
    void force(RecordKey key, Runnable then) {
        run.afterIn(node, engine.read(key), (record, failure) -> {
            Optional<Hold> seen = record == null
                    ? Optional.empty()
                    : record.flatMap(r -> r.holds().stream().findFirst());
            if (seen.isEmpty()) {
                then.run();
                return;
            }
            node.plan(world.millis(1, 2_000), () -> force(key, seen.get(), then));
        });
    }

    private void force(RecordKey key, Hold seen, Runnable then) {
        run.checker().forcing(seen.leaseId());
        world.trace(() -> "force of " + seen.leaseId() + " on " + key.name());
        run.afterIn(node, engine.force(key, seen.token(), "operator", "stuck"), (answer, failure) -> {
            if (answer != null && answer.result() instanceof ForceResult.Changed) {
                run.checker().toldChanged(seen.leaseId(), run.stored(key));
            }
            then.run();
        });
    }
}
