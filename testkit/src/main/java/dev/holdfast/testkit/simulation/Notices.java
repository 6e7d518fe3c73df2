package dev.holdfast.testkit.simulation;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Watchable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Notifications between nodes: late, and sometimes lost. */
final class Notices {
    private record Listener(Node node, int life, Consumer<RecordKey> changed) {}

    private final World world;
    private final Plan plan;
    private final List<Listener> listeners = new ArrayList<>();

    Notices(World world, Plan plan) {
        this.world = world;
        this.plan = plan;
    }

    Watchable.Watch add(Node node, Consumer<RecordKey> changed) {
        listeners.removeIf(old -> old.node() == node);
        Listener listener = new Listener(node, node.life(), changed);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void changed(RecordKey key) {
        if (!plan.notifies()) {
            return;
        }
        for (Listener listener : listeners) {
            if (listener.life() == listener.node().life() && !world.happens(plan.lose())) {
                listener.node()
                        .plan(world.millis(0.2, 5), () -> listener.changed().accept(key));
            }
        }
    }
}
