package dev.holdfast.server.observe.load;

import dev.holdfast.internal.engine.machine.EngineMeter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether the store answered the last request of each kind that only looks. What is written is judged by the engine: an answer to a
 * write may be a refusal of its condition, which does not show that anything can be written. Safe for any thread.
 */
public final class StoreOutcomes implements EngineMeter {
    private final Set<Operation> failing = ConcurrentHashMap.newKeySet();

    @Override
    public void stored(Operation operation, int rows, Duration took, boolean failed) {
        if (operation == Operation.WRITE) {
            return;
        }
        if (failed) {
            failing.add(operation);
        } else {
            failing.remove(operation);
        }
    }

    public Set<Operation> failing() {
        return Set.copyOf(failing);
    }
}
