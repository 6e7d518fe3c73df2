package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A dry run")
class DryRunTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration DOWN_AFTER = Duration.ofMinutes(5);

    /** Both clocks of a machine; they go on only when told. */
    private static final class HandClock extends Clock {
        private Duration passed = Duration.ZERO;

        void advance(Duration time) {
            passed = passed.plus(time);
        }

        long nanos() {
            return passed.toNanos();
        }

        @Override
        public Instant instant() {
            return Instant.parse("2026-01-01T12:00:00Z").plus(passed);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** App 'dead' has asked for a stop and is gone; nobody asked to stop 'b', which answers 503. */
    private static final class Failing implements AutoCloseable {
        final HandClock time = new HandClock();
        final Rig rig = new Rig(Rig.downAfter(DOWN_AFTER).withInterval(INTERVAL), time);
        final LocalGuard guard;

        Failing(String... others) throws InterruptedException {
            GuardContext real = rig.context(rig.parts(rig.documents, rig.apps, rig.machines));
            AppProbes probes = real.probes();
            guard = new LocalGuard(new GuardContext(
                    real.documents(),
                    new AppProbes(
                            probes.prober(),
                            probes.config(),
                            probes.clock(),
                            time::nanos,
                            probes.failures(),
                            probes.runs(),
                            probes.memory()),
                    real.choice(),
                    real.actuators(),
                    real.hosts(),
                    real.lock(),
                    real.publisher(),
                    real.log(),
                    real.rules(),
                    real.config(),
                    real.clock()));
            rig.sharing("dead", "b").sharing(others);
            rig.apps.are(ProbeStatus.REFUSED, "dead");
            rig.apps.answers("b", ProbeStatus.DOWN, 503);
            guard.stop("dead");
        }

        boolean isStopped() {
            return rig.machines.of(Rig.DB) == ResourceState.STOPPED;
        }

        @Override
        public void close() {
            guard.close();
            rig.close();
        }
    }

    @Test
    @DisplayName("that is asked for again and again does not postpone a stop, whichever app it is about")
    void postponesNothing() throws Exception {
        for (String asked : new String[] {"b", "dead"}) {
            try (Failing world = new Failing()) {
                Duration passed = Duration.ZERO;
                while (passed.compareTo(DOWN_AFTER) < 0) {
                    assertThat(world.isStopped()).isFalse();
                    world.guard.checkStop(asked);
                    world.guard.checkStart(asked);
                    world.time.advance(INTERVAL);
                    passed = passed.plus(INTERVAL);
                    world.guard.reconcile(Rig.DB);
                }
                assertThat(world.isStopped())
                        .as("what if %s stops: asked all the time", asked)
                        .isTrue();
            }
        }
    }

    @Test
    @DisplayName("is no look of the guard: it does not fill the gap between two of them, so nothing is stopped earlier")
    void shortensNothing() throws Exception {
        for (String asked : new String[] {"b", "dead"}) {
            try (Failing world = new Failing()) {
                for (Duration passed = Duration.ZERO;
                        passed.compareTo(DOWN_AFTER) < 0;
                        passed = passed.plus(INTERVAL)) {
                    world.guard.checkStop(asked);
                    world.time.advance(INTERVAL);
                }
                GuardDecision decision = world.guard.reconcile(Rig.DB).orElseThrow();
                assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
                assertThat(decision.reason()).contains("nobody asked to stop b");
            }
        }
    }

    @Test
    @DisplayName("knows for how long the guard has seen an app fail")
    void knowsWhatWasSeen() throws Exception {
        try (Failing world = new Failing("c")) { // c keeps it running
            world.guard.reconcile(Rig.DB);
            world.rig.apps.are(ProbeStatus.REFUSED, "c");
            assertThat(Rig.only(world.guard.checkStop("c")).outcome()).isEqualTo(GuardOutcome.PENDING);
            for (Duration passed = Duration.ZERO; passed.compareTo(DOWN_AFTER) < 0; passed = passed.plus(INTERVAL)) {
                world.time.advance(INTERVAL);
                world.guard.reconcile(Rig.DB);
            }
            GuardDecision would = Rig.only(world.guard.checkStop("c"));
            assertThat(would.outcome()).isEqualTo(GuardOutcome.STOPPED);
            assertThat(would.reason()).startsWith("dry run: it would be stopped: no app needs it");
            assertThat(world.isStopped()).isFalse();
        }
    }

    @Test
    @DisplayName("says in shadow mode what the stop says: that it would be stopped, and is not")
    void shadow() throws Exception {
        GuardConfig off = Rig.QUICK.withSharedDbLockEnabled(false);
        try (Rig rig = new Rig(off).sharing("a")) {
            rig.apps.are(ProbeStatus.REFUSED, "a");
            GuardDecision would = Rig.only(rig.guard.checkStop("a"));
            GuardDecision decided = rig.stop("a");
            assertThat(would.outcome()).isEqualTo(decided.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(would.reason())
                    .isEqualTo("dry run: shadow mode (shared_db_lock_enabled is false), would be stopped:"
                            + " no app needs it: a (connection refused)");
            assertThat("dry run: " + decided.reason()).startsWith(would.reason()); // and what its actuator says
            assertThat(would.evidence()).hasSameSizeAs(decided.evidence()).hasSize(1);
            assertThat(rig.machines.acts()).isEmpty();
        }
    }
}
