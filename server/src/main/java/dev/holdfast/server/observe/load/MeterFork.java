package dev.holdfast.server.observe.load;

import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.List;

/** Tells several what an engine does, in this order. */
public record MeterFork(List<EngineMeter> all) implements EngineMeter {
    @Override
    public void stored(Operation operation, int rows, Duration took, boolean failed) {
        all.forEach(each -> each.stored(operation, rows, took, failed));
    }

    @Override
    public void retried(RecordKey key) {
        all.forEach(each -> each.retried(key));
    }

    /** The least of all; each is then told of all that is slow for any, and judges again. */
    @Override
    public long slowNanos() {
        return all.stream().mapToLong(EngineMeter::slowNanos).min().orElse(Long.MAX_VALUE);
    }

    @Override
    public void slow(SlowCommand command) {
        for (EngineMeter each : all) {
            if (command.took().toNanos() >= each.slowNanos()) {
                each.slow(command);
            }
        }
    }

    @Override
    public void happened(List<LockEvent> events) {
        all.forEach(each -> each.happened(events));
    }
}
