package dev.holdfast.guard.local;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Actuator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Machines that run until they are stopped, and refuse who comes with an older token than they have seen. */
final class Machines implements Actuator {
    private final String name;
    private final Map<String, ResourceState> states = new TreeMap<>();
    private final Map<String, Long> tokens = new TreeMap<>();
    private final List<String> acts = new ArrayList<>();
    private ResourceState afterStop = ResourceState.STOPPED;
    private ResourceState afterStart = ResourceState.RUNNING;
    private boolean broken;
    volatile Consumer<String> beforeActing = act -> {};
    volatile Consumer<String> afterActing = act -> {};

    Machines(String name) {
        this.name = name;
    }

    /** What happens to be the state right after a stop and a start. */
    synchronized void takeTime(ResourceState stop, ResourceState start) {
        afterStop = stop;
        afterStart = start;
    }

    synchronized void broken(boolean now) {
        broken = now;
    }

    synchronized void become(String id, ResourceState state) {
        states.put(id, state);
    }

    synchronized ResourceState of(String id) {
        return states.getOrDefault(id, ResourceState.RUNNING);
    }

    synchronized List<String> acts() {
        return List.copyOf(acts);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ActResult stop(ActTarget target) {
        beforeActing.accept("stop");
        ActResult result = act("stop", target);
        afterActing.accept("stop");
        return result;
    }

    @Override
    public ActResult start(ActTarget target) {
        beforeActing.accept("start");
        ActResult result = act("start", target);
        afterActing.accept("start");
        return result;
    }

    private synchronized ActResult act(String what, ActTarget target) {
        String id = target.dbIdentifier();
        if (target.dryRun()) {
            return new ActResult.Done(of(id), "would " + what);
        }
        long newest = tokens.getOrDefault(id, 0L);
        if (newest > target.fencingToken()) {
            acts.add(what + " refused " + id);
            return new ActResult.Stale(newest);
        }
        tokens.put(id, target.fencingToken());
        if (broken) {
            acts.add(what + " failed " + id);
            return new ActResult.Failed("the machine room is dark");
        }
        acts.add(what + " " + id);
        ResourceState now = what.equals("stop") ? afterStop : afterStart;
        boolean already = of(id) == (what.equals("stop") ? ResourceState.STOPPED : ResourceState.RUNNING);
        states.put(id, already ? of(id) : now);
        return new ActResult.Done(of(id), what + " done");
    }

    @Override
    public synchronized ResourceState state(ActTarget target) {
        return of(target.dbIdentifier());
    }
}
