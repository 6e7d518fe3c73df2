package dev.holdfast.testkit.simulation;

import dev.holdfast.model.EngineId;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Notifications between nodes: late, sometimes lost, sometimes without the record, and sometimes so late that it is an old one. */
final class Notices {
    private static final double BARE = 0.2;
    private static final double VERY_LATE = 0.1;

    private record Listener(Node node, int life, EngineId engine, Consumer<Watchable.Hint> heard) {}

    private final World world;
    private final SimulationPlan plan;
    private final List<Listener> listeners = new ArrayList<>();

    Notices(World world, SimulationPlan plan) {
        this.world = world;
        this.plan = plan;
    }

    Watchable.Watch add(Node node, EngineId engine, Consumer<Watchable.Hint> heard) {
        listeners.removeIf(old -> old.node() == node);
        Listener listener = new Listener(node, node.life(), engine, heard);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void written(Write made) {
        if (!plan.notifies) {
            return;
        }
        for (Listener listener : listeners) {
            boolean lives = listener.life() == listener.node().life();
            if (lives && made.wake().includes(listener.engine()) && !world.happens(plan.lose)) {
                Watchable.Hint hint = world.happens(BARE) ? Watchable.Hint.of(made.key()) : Watchable.Hint.of(made);
                long late = world.happens(VERY_LATE) ? world.millis(5, 2_000) : world.millis(0.2, 5);
                listener.node().plan(late, () -> listener.heard().accept(hint));
            }
        }
    }
}
