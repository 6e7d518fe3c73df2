package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What must never happen in a {@link Simulation}, told from what the apps really did and who looked when. It knows nothing of how
 * the guard counts.
 */
final class SimulationOracle {
    /** A look at an app: what it really did then, and what was wished for it. */
    private record Look(long time, String process, Simulation.Truth truth, DesiredState desired, boolean starting) {
        boolean isDown() {
            return !starting
                    && desired != DesiredState.RUNNING
                    && (truth == Simulation.Truth.FAILING
                            || (truth == Simulation.Truth.REFUSING && desired == DesiredState.STOPPED));
        }
    }

    private final Simulation world;
    private final Map<String, List<Look>> probes = new TreeMap<>();
    private final Set<String> relying = new TreeSet<>();
    int stopsOrdered;

    SimulationOracle(Simulation world) {
        this.world = world;
    }

    void looked(String app, String process, Simulation.Truth truth, App registered, Instant clock) {
        Look look = new Look(world.now(), process, truth, registered.desired(), registered.isStarting(clock));
        probes.computeIfAbsent(app, name -> new ArrayList<>()).add(look);
        world.tell("   ", app, "seen:", look);
    }

    /** An app was told that it may rely on the database, and runs. */
    void relies(String app) {
        relying.add(app);
        if (!world.database().runs()) {
            fail(app + " was told that it may rely on a database that does not run");
        }
    }

    void reliesNoMore(String app) {
        relying.remove(app);
    }

    void databaseStopped() {
        if (!relying.isEmpty()) {
            fail("the database was stopped under " + relying);
        }
    }

    /** A guard tells the actuator to stop it: everything it has last looked at must allow that. */
    void stopOrdered() {
        stopsOrdered++;
        String process = world.acting().process();
        long last = probes.values().stream()
                .flatMap(List::stream)
                .filter(look -> look.process().equals(process))
                .mapToLong(Look::time)
                .max()
                .orElse(-1);
        boolean wanted = false;
        for (Map.Entry<String, List<Look>> entry : probes.entrySet()) {
            for (Look look : entry.getValue()) {
                if (look.time() == last && look.process().equals(process)) {
                    check(entry.getKey(), entry.getValue(), look);
                    wanted |= look.desired() == DesiredState.STOPPED;
                }
            }
        }
        if (!wanted) {
            fail("stopped though no app asked for it");
        }
    }

    private void check(String app, List<Look> all, Look last) {
        if (!last.isDown()) {
            fail("stopped though " + app + " was just seen as " + last);
        }
        if (last.desired() == DesiredState.STOPPED) {
            long down = 0;
            for (int i = all.indexOf(last); i >= 0 && all.get(i).isDown(); i--) {
                down++;
            }
            if (down < world.config().downConfirmations()) {
                fail("stopped though " + app + " was seen down only " + down + " times");
            }
            return;
        }
        long since = last.time() - world.config().downAfter().toMillis();
        long first = last.time();
        for (int i = all.indexOf(last); i >= 0 && first > since; i--) {
            Look look = all.get(i);
            if (look.truth() != Simulation.Truth.FAILING) {
                fail("stopped though " + app + ", which nobody asked to stop, was seen otherwise: " + look);
            }
            if (look.process().equals(last.process())) {
                if (first - look.time() > world.config().longestGap().toMillis()) {
                    fail("stopped though nobody looked at " + app + " from " + look.time() + " to " + first);
                }
                first = look.time();
            }
        }
        if (first > since) {
            fail("stopped though " + app + ", which nobody asked to stop, was seen failing only since " + first);
        }
    }

    private void fail(String what) {
        throw new AssertionError(what + " (at " + world.now() + ")");
    }
}
