package dev.holdfast.server.observe.load;

import dev.holdfast.internal.engine.machine.EngineMeter;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether the store answered the last request of each kind that only looks. What is written is judged by the engine: an answer to a
 * write may be a refusal of its condition, which does not show that anything can be written. Safe for any thread.
 */
public final class StoreOutcomes implements EngineMeter {
    private volatile Set<Operation> failing = Set.of();

    @Override
    public void stored(Operation operation, int rows, Duration took, boolean failed) {
        if (operation != Operation.WRITE && failing.contains(operation) != failed) {
            change(operation, failed);
        }
    }

    private synchronized void change(Operation operation, boolean failed) {
        Set<Operation> next = new HashSet<>(failing);
        if (failed) {
            next.add(operation);
        } else {
            next.remove(operation);
        }
        failing = Set.copyOf(next);
    }

    public Set<Operation> failing() {
        return failing;
    }
}
