package dev.holdfast.guard.local;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Actuator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The database of a {@link Simulation}, and what stops and starts it: sometimes slow, hanging, failing or lying. Knows tokens. */
final class SimulatedDatabase implements Actuator {
    /** How an actuator may treat an order. */
    private enum Manner {
        HONEST,
        /** Says that it failed, and does it. */
        SAYS_FAILED,
        /** Says that it is done, and does nothing. */
        LIES,
        /** Gives up waiting; the order arrives later. */
        HANGS,
        /** Takes its time. */
        SLOW,
        FAILS
    }

    /** Those that are hardest on a guard come most often. */
    private static final List<Manner> MANNERS = List.of(
            Manner.HANGS,
            Manner.HANGS,
            Manner.HANGS,
            Manner.LIES,
            Manner.LIES,
            Manner.SLOW,
            Manner.SAYS_FAILED,
            Manner.FAILS);

    /** An order that is on its way. */
    private record Order(boolean stop, long token, long due) {}

    private final Simulation world;
    private final Random random;
    private final List<Order> late = new ArrayList<>();
    private boolean runs = true;
    private long newestToken;
    private boolean honest;
    private boolean saysWhatItDoes = true;

    SimulatedDatabase(Simulation world, Random random) {
        this.world = world;
        this.random = random;
    }

    boolean runs() {
        return runs;
    }

    /** From now on it does what it is told, and says so. */
    void becomeHonest() {
        honest = true;
    }

    /** Whether an order is still on its way. */
    boolean isBusy() {
        return !late.isEmpty();
    }

    /** Orders whose time has come arrive. */
    void pass() {
        for (Order order : List.copyOf(late)) {
            if (order.due() <= world.now()) {
                late.remove(order);
                arrive(order.stop(), order.token());
            }
        }
    }

    private boolean arrive(boolean stop, long token) {
        if (token < newestToken) {
            return false;
        }
        newestToken = token;
        runs = !stop;
        if (stop) {
            world.oracle().databaseStopped();
        }
        return true;
    }

    @Override
    public String name() {
        return "db";
    }

    @Override
    public ActResult stop(ActTarget target) {
        world.oracle().stopOrdered();
        return act(target, true);
    }

    @Override
    public ActResult start(ActTarget target) {
        return act(target, false);
    }

    private ActResult act(ActTarget target, boolean stop) {
        long token = target.fencingToken();
        if (token < newestToken) {
            return new ActResult.Stale(newestToken);
        }
        Manner manner = honest || random.nextInt(3) == 0 ? Manner.HONEST : MANNERS.get(random.nextInt(MANNERS.size()));
        ResourceState aim = stop ? ResourceState.STOPPED : ResourceState.RUNNING;
        switch (manner) {
            case HONEST, SAYS_FAILED -> arrive(stop, token);
            case HANGS, SLOW -> {
                if (random.nextBoolean()) {
                    newestToken = token; // it has seen the order; else that is still on its way
                }
                late.add(new Order(stop, token, world.now() + random.nextInt(40_000)));
            }
            default -> newestToken = token;
        }
        saysWhatItDoes = manner == Manner.LIES; // who lies about both is not found out
        return switch (manner) {
            case HONEST, LIES -> new ActResult.Done(aim, manner.toString());
            case SLOW -> new ActResult.Done(stop ? ResourceState.STOPPING : ResourceState.STARTING, "slow");
            case SAYS_FAILED, HANGS, FAILS -> new ActResult.Failed(manner.toString());
        };
    }

    @Override
    public ResourceState state(ActTarget target) {
        if (!honest && !saysWhatItDoes && random.nextInt(8) == 0) {
            return ResourceState.UNKNOWN;
        }
        return runs ? ResourceState.RUNNING : ResourceState.STOPPED;
    }
}
