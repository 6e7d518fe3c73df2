package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An app that nobody asked to stop")
class EvidenceTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final App APP = Rig.registered(Rig.app("shop"));

    @Test
    @DisplayName("keeps its database when it fails for a moment, however old the stop of another app is")
    void failsForAMoment() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMinutes(5)))) {
            rig.sharing("dead", "b");
            rig.apps.are(ProbeStatus.REFUSED, "dead");
            assertThat(rig.stop("dead").outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);

            rig.apps.answers("b", ProbeStatus.DOWN, 503); // it is restarted
            for (int i = 0; i < 10; i++) {
                GuardDecision decision = rig.guard.reconcile(Rig.DB).orElseThrow();
                assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
                assertThat(decision.reason())
                        .contains("nobody asked to stop b (answers 503, and counts as down after 5m of that");
            }
            rig.apps.are(ProbeStatus.UP, "b");
            assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome())
                    .isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
            assertThat(rig.machines.acts()).isEmpty();
        }
    }

    @Test
    @DisplayName("is down when it has failed for long enough, in one guard that has watched it all the time")
    void failsForLong() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMillis(300)))) {
            rig.sharing("dead", "b");
            rig.apps.are(ProbeStatus.REFUSED, "dead");
            rig.apps.answers("b", ProbeStatus.DOWN, 503);
            assertThat(rig.stop("dead").outcome()).isEqualTo(GuardOutcome.PENDING);
            rig.running();
            Await.until("it is stopped", () -> rig.machines.of(Rig.DB) == ResourceState.STOPPED);
        }
    }

    @Test
    @DisplayName("runs if it answers anything but 5xx, or what its registration says")
    void answersAnything() throws Exception {
        try (Rig rig = new Rig()) {
            rig.sharing("dead", "b");
            rig.apps.are(ProbeStatus.REFUSED, "dead");
            for (int code : List.of(201, 204, 301, 400, 401, 404, 429)) {
                rig.apps.answers("b", ProbeStatus.DOWN, code);
                assertThat(rig.stop("dead").outcome())
                        .as("code %d", code)
                        .isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
            }
            rig.guard.register(new Registration(
                    "b",
                    "http://b/",
                    List.of(Rig.use("postgres", "db1")),
                    Optional.empty(),
                    Optional.of(new HealthCheck.Spec(Optional.empty(), List.of(), List.of("404"), Optional.empty()))));
            rig.apps.answers("b", ProbeStatus.DOWN, 404);
            assertThat(rig.stop("dead").outcome()).isEqualTo(GuardOutcome.STOPPED);
        }
    }

    @Test
    @DisplayName("starts anew when another guard saw it otherwise, without any lock")
    void anotherGuardSawIt() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMinutes(5)))) {
            rig.sharing("dead", "b");
            rig.apps.are(ProbeStatus.REFUSED, "dead");
            rig.apps.answers("b", ProbeStatus.DOWN, 503);
            rig.stop("dead");
            String run = run(rig);

            var held = rig.locks.tryAcquire(ResourceLeases.key(Rig.DB), o -> {});
            rig.apps.are(ProbeStatus.UP, "b");
            rig.another().lookAround();
            assertThat(new GuardDocuments(rig.documents)
                            .resource(Rig.DB)
                            .value()
                            .downs())
                    .doesNotContainKey("b");
            held.orThrow().close();

            rig.apps.answers("b", ProbeStatus.DOWN, 503);
            rig.guard.reconcile(Rig.DB);
            assertThat(run(rig)).isNotEqualTo(run);
        }
    }

    private static String run(Rig rig) {
        return new GuardDocuments(rig.documents)
                .resource(Rig.DB)
                .value()
                .downs()
                .get("b")
                .run();
    }

    // ---- what one process has watched

    private static ClockReading at(long seconds) {
        return new ClockReading(NOON.plusSeconds(seconds), seconds * 1_000_000_000L);
    }

    @Test
    @DisplayName("has failed for as long as looks followed each other closely, of one run, on both clocks")
    void watched() {
        FailureWatch watch = new FailureWatch(Duration.ofSeconds(30));
        assertThat(watch.failing("db", APP, "run", at(0))).isZero();
        assertThat(watch.failing("db", APP, "run", at(30))).hasSeconds(30);
        assertThat(watch.failing("db", APP, "run", at(60))).hasSeconds(60);
        assertThat(watch.failing("other", APP, "run", at(60)))
                .as("another database")
                .isZero();

        assertThat(watch.failing("db", APP, "run", at(91))).as("a gap").isZero();
        assertThat(watch.failing("db", APP, "run", at(100))).hasSeconds(9);
        assertThat(watch.failing("db", APP, "another", at(110)))
                .as("another run")
                .isZero();
        watch.other("db", "shop");
        assertThat(watch.failing("db", APP, "another", at(111)))
                .as("seen otherwise")
                .isZero();
        assertThat(new FailureWatch(Duration.ofSeconds(30)).failing("db", APP, "another", at(112)))
                .as("a restart")
                .isZero();
    }

    @Test
    @DisplayName("has not failed while the machine slept, or because the clock was set")
    void clocks() {
        FailureWatch watch = new FailureWatch(Duration.ofSeconds(30));
        watch.failing("db", APP, "run", at(0));
        ClockReading slept = new ClockReading(NOON.plusSeconds(3_600), 1_000_000_000L);
        assertThat(watch.failing("db", APP, "run", slept)).isZero();
        ClockReading setBack = new ClockReading(NOON.plusSeconds(3_580), 11_000_000_000L);
        assertThat(watch.failing("db", APP, "run", setBack)).isZero();
    }
}
