package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A guard that dies")
class CrashTest {
    private static final String[] APPS = {"a", "b", "c"};

    @Test
    @DisplayName("at any step of a stop: another ends it with the database stopped")
    void atAnyStepOfAStop() throws Exception {
        int steps = 0;
        for (boolean died = true; died; steps++) {
            try (Rig rig = new Rig()) {
                rig.sharing("a", "b");
                rig.apps.are(ProbeStatus.REFUSED, "b");
                rig.stop("b"); // a is up
                rig.apps.are(ProbeStatus.REFUSED, "a");
                Mortal mortal = new Mortal(rig, steps);
                died = mortal.dies(guard -> guard.stop("a"));
                if (died && rig.guard.app("a").desired() != DesiredState.STOPPED) {
                    continue; // it died before anything was stored: its caller knows nothing, and asks again
                }
                settle(rig);
                assertThat(rig.machines.of(Rig.DB)).as("died at step %d", steps).isEqualTo(ResourceState.STOPPED);
                assertThat(rig.db().state()).isEqualTo(ResourceState.STOPPED);
                assertThat(rig.db().intent()).isEmpty();
            }
        }
        assertThat(steps).isGreaterThan(15);
    }

    @Test
    @DisplayName("at any step of a start: another ends it with the database running")
    void atAnyStepOfAStart() throws Exception {
        int steps = 0;
        for (boolean died = true; died; steps++) {
            try (Rig rig = new Rig()) {
                rig.sharing("a");
                rig.apps.are(ProbeStatus.REFUSED, "a");
                assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.STOPPED);
                Mortal mortal = new Mortal(rig, steps);
                died = mortal.dies(guard -> guard.start("a"));
                if (died && rig.guard.app("a").startingUntil().isEmpty()) {
                    continue;
                }
                settle(rig);
                assertThat(rig.machines.of(Rig.DB)).as("died at step %d", steps).isEqualTo(ResourceState.RUNNING);
                assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
            }
        }
        assertThat(steps).isGreaterThan(8);
    }

    @Test
    @DisplayName("with the lock held: another goes on when the lease has ended")
    void withTheLockHeld() throws Exception {
        GuardConfig brief = GuardConfig.DEFAULT
                .withLockTtl(Duration.ofMillis(300))
                .withLockMaxRetries(0)
                .withLockBackoff(Duration.ofMillis(1))
                .withQuickStatusTimeout(Duration.ofSeconds(20))
                .withDownConfirmations(1)
                .withConfirmationPause(Duration.ZERO)
                .withDownAfter(Duration.ZERO)
                .withInterval(Duration.ofMillis(20))
                .withActTimeout(Duration.ofSeconds(20));
        try (Rig rig = new Rig(brief)) {
            rig.sharing("a");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            // What a killed holder leaves: its lease, which nobody renews.
            rig.locks.tryAcquire(
                    ResourceLeases.key(Rig.DB), o -> o.lease(brief.lockTtl()).withoutRenewal());
            assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.SKIPPED_LOCK);
            rig.running();
            dev.holdfast.testkit.Await.until("it is stopped", () -> rig.machines.of(Rig.DB) == ResourceState.STOPPED);
        }
    }

    /**
     * Random orders of stops, starts, crashes of guards and apps, and apps nobody can see. An app runs only after its start was answered
     * {@code started}; from then on, until its own stop or its own end, its database must run.
     */
    @Test
    @DisplayName(
            "at random, among random stops and starts: no running app ever loses its database, and in the end it is stopped")
    void atRandom() throws Exception {
        long seed = Long.getLong("guard.seed", new Random().nextLong());
        for (int round = 0; round < 20; round++) {
            run(
                    new Random(seed + round),
                    "seed " + seed + " round " + round + " (-Dguard.seed=" + (seed + round) + ")");
        }
    }

    private void run(Random random, String name) throws Exception {
        try (Rig rig = new Rig()) {
            rig.sharing(APPS);
            TreeSet<String> running = new TreeSet<>(List.of(APPS));
            List<String> story = new ArrayList<>();
            for (int step = 0; step < 30; step++) {
                String app = APPS[random.nextInt(APPS.length)];
                Mortal guard = new Mortal(rig, random.nextInt(4) == 0 ? random.nextInt(60) : Integer.MAX_VALUE);
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        running.remove(app);
                        rig.apps.are(ProbeStatus.REFUSED, app);
                        story.add("stop " + app + " " + guard.told(g -> g.stop(app)));
                    }
                    case 2 -> {
                        String told = guard.told(g -> g.start(app));
                        story.add("start " + app + " " + told);
                        if (told.equals("started")) {
                            running.add(app);
                            rig.apps.are(ProbeStatus.UP, app);
                        }
                    }
                    case 3 -> {
                        story.add("crash of " + app);
                        running.remove(app);
                        rig.apps.are(ProbeStatus.DOWN, app);
                    }
                    case 4 -> {
                        story.add(app + " out of sight");
                        rig.apps.are(running.contains(app) ? ProbeStatus.UNKNOWN : ProbeStatus.REFUSED, app);
                    }
                    default ->
                        story.add("look "
                                + guard.told(g -> new GuardAnswer(
                                        app, g.reconcile(Rig.DB).stream().toList())));
                }
                if (!running.isEmpty()) {
                    assertThat(rig.machines.of(Rig.DB))
                            .as("%s: %s run; %s", name, running, story)
                            .isEqualTo(ResourceState.RUNNING);
                }
            }
            for (String app : APPS) {
                rig.apps.are(ProbeStatus.REFUSED, app);
                rig.guard.stop(app);
            }
            settle(rig);
            assertThat(rig.machines.of(Rig.DB))
                    .as("%s: at the end; %s", name, story)
                    .isEqualTo(ResourceState.STOPPED);
            assertThat(rig.db().intent()).isEmpty();
        }
    }

    private static void settle(Rig rig) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            rig.another().reconcile(Rig.DB);
        }
    }

    private interface Call {
        GuardAnswer on(LocalGuard guard) throws InterruptedException;
    }

    /** Thrown where a guard dies; nothing of the guard catches it. */
    private static final class Death extends Error {
        Death() {
            super("dead", null, false, false);
        }
    }

    /** A guard that dies at its n-th use of anything, and does nothing from then on. */
    private static final class Mortal {
        private final LocalGuard guard;
        private int left;
        private boolean dead;

        Mortal(Rig rig, int steps) {
            left = steps;
            guard = rig.on(
                    new StartDuringStopTest.Stepped(rig.documents, this::step),
                    new Prober() {
                        @Override
                        public CompletableFuture<ProbeResult> probe(URI url, Duration timeout) {
                            return rig.apps.probe(url, timeout);
                        }

                        @Override
                        public void close() {}
                    },
                    new MortalHands(rig.machines, this::step));
        }

        synchronized void step() {
            if (dead || left-- <= 0) {
                dead = true;
                throw new Death();
            }
        }

        boolean dies(Call call) throws InterruptedException {
            return told(call).equals("death");
        }

        String told(Call call) throws InterruptedException {
            try {
                GuardAnswer answer = call.on(guard);
                return answer.decisions().isEmpty()
                        ? "nothing"
                        : answer.decisions().get(0).outcome().label();
            } catch (Death e) {
                return "death";
            } catch (IllegalStateException e) {
                if (e.getCause() instanceof Death) {
                    return "death";
                }
                throw e;
            }
        }
    }

    /** May die before it acts, and after. */
    private record MortalHands(Machines machines, Runnable step) implements Actuator {
        @Override
        public String name() {
            return machines.name();
        }

        @Override
        public ActResult stop(ActTarget target) {
            step.run();
            ActResult result = machines.stop(target);
            step.run();
            return result;
        }

        @Override
        public ActResult start(ActTarget target) {
            step.run();
            ActResult result = machines.start(target);
            step.run();
            return result;
        }

        @Override
        public ResourceState state(ActTarget target) {
            step.run();
            return machines.state(target);
        }
    }
}
