package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.time.Anchor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How long a round waits before it tries again: after a store's failure, or a write lost against another writer. */
final class Backoff {
    /** How often a round that keeps losing against other writers tries before it reports contention. */
    static final int MAX_CONFLICTS = 100;
    /** Conflicts in a row before it steps aside for a random while. */
    private static final int EAGER_CONFLICTS = 3;

    private static final long MAX_MILLIS = 1_000;

    private final Machine machine;
    private int conflicts;
    private int failures;

    Backoff(Machine machine) {
        this.machine = machine;
    }

    /** How many writes were lost against other writers. */
    int conflicts() {
        return conflicts;
    }

    /** Whether a write was lost against another writer. */
    boolean hasLost() {
        return conflicts > 0;
    }

    /**
     * At once a few times, then after a random while; empty after too many. The more there are at this lock and the longer a write
     * takes, the longer that while; but whoever holds does not step aside: the others wait for it anyway, and a crowd of them must
     * not keep it from giving the lock back.
     *
     * @param sent when the write was decided that was lost
     */
    Optional<Duration> afterConflict(List<QueuedCommand<?>> commands, LockRecord current, Optional<Anchor> sent) {
        conflicts++;
        if (conflicts >= MAX_CONFLICTS) {
            return Optional.empty();
        }
        if (conflicts <= EAGER_CONFLICTS || commands.stream().anyMatch(queued -> isAwaited(queued.command, current))) {
            return Optional.of(Duration.ZERO);
        }
        long bound = Math.max(1L << Math.min(conflicts - EAGER_CONFLICTS, 6), crowd(current, sent));
        return Optional.of(
                Duration.ofMillis(1L + Math.floorMod(machine.random(), Math.min(bound, soonEnough(commands)))));
    }

    /** Longer each time. */
    Duration afterFailure(List<QueuedCommand<?>> commands) {
        long base = 5L << Math.min(failures++, 8);
        long millis = base / 2 + Math.floorMod(machine.random(), base);
        return Duration.ofMillis(Math.min(Math.min(millis, MAX_MILLIS), soonEnough(commands)));
    }

    /** Whether others wait for what is asked here: a hold is kept, taken up or ended. */
    private static boolean isAwaited(Command<?> command, LockRecord current) {
        if (command instanceof Command.Acquire ask) {
            return current.hold(ask.leaseId()).isPresent();
        }
        if (command instanceof Command.Reacquire ask) {
            return current.hold(ask.leaseId()).isPresent();
        }
        return !(command instanceof Command.Touch) && !(command instanceof Command.Remember);
    }

    /** Milliseconds until everybody who is at this lock has written once, if each takes as long as we did; bounded. */
    private long crowd(LockRecord current, Optional<Anchor> sent) {
        long took = sent.map(it -> machine.time().nanos() - it.nanos()).orElse(0L);
        long all = took / 1_000_000 * (current.holds().size() + current.queue().size());
        return Math.max(1, Math.min(all, MAX_MILLIS));
    }

    /** Milliseconds after which the most urgent caller still has time for a few more attempts. */
    private long soonEnough(List<QueuedCommand<?>> commands) {
        long now = machine.time().nanos();
        long left = Long.MAX_VALUE;
        for (QueuedCommand<?> queued : commands) {
            left = Math.min(left, queued.deadline - now);
        }
        return Math.max(5, left / 4 / 1_000_000);
    }
}
