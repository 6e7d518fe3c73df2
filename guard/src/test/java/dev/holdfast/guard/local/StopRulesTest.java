package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.guard.rules.HealthReading;
import dev.holdfast.guard.rules.StopRules;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whether a resource may be stopped")
class StopRulesTest {
    private static final int NEEDED = 2;

    /** How an app may be, as seen by the rules, and what one such app alone leads to. */
    private enum Look {
        UP(GuardOutcome.SKIPPED_SHARED_ACTIVE),
        DOWN(GuardOutcome.STOPPED),
        UNKNOWN(GuardOutcome.SKIPPED_UNKNOWN),
        STARTING(GuardOutcome.SKIPPED_SHARED_ACTIVE);

        final GuardOutcome alone;

        Look(GuardOutcome alone) {
            this.alone = alone;
        }

        AppObservation of(String app) {
            ProbeResult probed = switch (this) {
                case UP -> Rig.probed(ProbeStatus.UP, 200);
                case DOWN, STARTING -> Rig.probed(ProbeStatus.DOWN, 503);
                case UNKNOWN -> Rig.probed(ProbeStatus.UNKNOWN, 0);
            };
            return seen(app, DesiredState.AUTO, this == STARTING, probed, this == UNKNOWN ? 0 : NEEDED);
        }
    }

    @Test
    @DisplayName(
            "three apps in every state and order: any that needs it keeps it, any unknown keeps it, all down stops it")
    void threeAppsInEveryState() {
        int cases = 0;
        for (Look a : Look.values()) {
            for (Look b : Look.values()) {
                for (Look c : Look.values()) {
                    List<Look> probes = List.of(a, b, c);
                    GuardOutcome expected = probes.stream()
                                    .anyMatch(look -> look.alone == GuardOutcome.SKIPPED_SHARED_ACTIVE)
                            ? GuardOutcome.SKIPPED_SHARED_ACTIVE
                            : probes.contains(Look.UNKNOWN) ? GuardOutcome.SKIPPED_UNKNOWN : GuardOutcome.STOPPED;
                    for (List<Integer> order : orders()) {
                        List<AppObservation> sightings = new ArrayList<>();
                        order.forEach(i -> sightings.add(probes.get(i).of("app" + i)));
                        assertThat(StopRules.judge(sightings, NEEDED).outcome())
                                .as("%s in order %s", probes, order)
                                .isEqualTo(expected);
                        cases++;
                    }
                }
            }
        }
        assertThat(cases).isEqualTo(4 * 4 * 4 * 6);
    }

    private static List<List<Integer>> orders() {
        return List.of(
                List.of(0, 1, 2),
                List.of(0, 2, 1),
                List.of(1, 0, 2),
                List.of(1, 2, 0),
                List.of(2, 0, 1),
                List.of(2, 1, 0));
    }

    @Test
    @DisplayName("only 5xx means that an app is down; every other answer that it runs")
    void everyCode() {
        for (int code = 100; code < 600; code++) {
            ProbeStatus sight = code == 200 ? ProbeStatus.UP : ProbeStatus.DOWN;
            GuardOutcome expected = code >= 500 ? GuardOutcome.STOPPED : GuardOutcome.SKIPPED_SHARED_ACTIVE;
            assertThat(judged(DesiredState.AUTO, sight, code, NEEDED))
                    .as("code %d", code)
                    .isEqualTo(expected);
            assertThat(judged(DesiredState.STOPPED, sight, code, NEEDED))
                    .as("code %d, asked to stop", code)
                    .isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("an app that nobody asked to stop and that fails is waited for until it has failed for long enough")
    void failingForLongEnough() {
        ProbeResult failing = Rig.probed(ProbeStatus.DOWN, 503);
        for (DesiredState desired : List.of(DesiredState.AUTO, DesiredState.STOPPED)) {
            AppObservation seen = new AppObservation(
                    "shop",
                    desired,
                    false,
                    failing,
                    HealthReading.FAILS,
                    99,
                    Duration.ofSeconds(299),
                    Duration.ofMinutes(5));
            StopRules.Ruling ruling = StopRules.judge(List.of(seen), NEEDED);
            if (desired == DesiredState.STOPPED) {
                assertThat(ruling.mayStop()).as("it was asked to stop").isTrue();
            } else {
                assertThat(ruling.outcome()).isEqualTo(GuardOutcome.PENDING);
                assertThat(ruling.missing()).isEqualTo(StopRules.Missing.TIME);
                assertThat(ruling.reason())
                        .contains("nobody asked to stop shop (answers 503, and counts as down after 5m of that");
            }
        }
    }

    @Test
    @DisplayName("what an app's health names decides; a code that is neither up nor down blocks")
    void namedHealth() {
        HealthCheck health = new HealthCheck.Spec(
                        Optional.of("/health"), List.of("200-299"), List.of("404", "500-599"), Optional.of("90s"))
                .check(new ArrayList<>());

        assertThat(HealthReading.of(Rig.probed(ProbeStatus.UP, 200), health)).isEqualTo(HealthReading.RUNS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 204), health)).isEqualTo(HealthReading.RUNS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 404), health)).isEqualTo(HealthReading.FAILS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 503), health)).isEqualTo(HealthReading.FAILS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 401), health)).isEqualTo(HealthReading.UNCLEAR);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.REFUSED, 0), health)).isEqualTo(HealthReading.REFUSES);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.UNKNOWN, 0), health)).isEqualTo(HealthReading.UNCLEAR);
        assertThat(health.at(URI.create("http://shop:81/x?y"))).hasToString("http://shop:81/health");
        assertThat(health.downAfter()).contains(Duration.ofSeconds(90));

        HealthCheck onlyUp = new HealthCheck.Spec(Optional.empty(), List.of("200", "503"), List.of(), Optional.empty())
                .check(new ArrayList<>());
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 503), onlyUp)).isEqualTo(HealthReading.RUNS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 500), onlyUp)).isEqualTo(HealthReading.FAILS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 404), onlyUp)).isEqualTo(HealthReading.UNCLEAR);

        HealthCheck onlyDown = new HealthCheck.Spec(Optional.empty(), List.of(), List.of("404"), Optional.empty())
                .check(new ArrayList<>());
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 404), onlyDown))
                .isEqualTo(HealthReading.FAILS);
        assertThat(HealthReading.of(Rig.probed(ProbeStatus.DOWN, 503), onlyDown))
                .isEqualTo(HealthReading.RUNS);
    }

    @Test
    @DisplayName("everything that is wrong with a health is named")
    void wrongHealth() {
        List<String> problems = new ArrayList<>();
        new HealthCheck.Spec(
                        Optional.of("http://elsewhere/"),
                        List.of("200-299", "99", "x", "300-200"),
                        List.of(),
                        Optional.of("five minutes"))
                .check(problems);
        assertThat(problems).hasSize(5);
        problems.clear();
        for (String path : List.of("//elsewhere/", "health", "/a b", "/x#y", "", "/" + "x".repeat(1_000))) {
            new HealthCheck.Spec(Optional.of(path), List.of(), List.of(), Optional.empty()).check(problems);
        }
        assertThat(problems).hasSize(6).allMatch(problem -> problem.startsWith("health.path"));
        problems.clear();
        new HealthCheck.Spec(Optional.empty(), List.of("200-299"), List.of("250"), Optional.of("8d")).check(problems);
        assertThat(problems).hasSize(2);
    }

    @Test
    @DisplayName("an app that is wished running needs it, whatever is seen")
    void wishedRunning() {
        for (ProbeStatus sight : ProbeStatus.values()) {
            assertThat(judged(DesiredState.RUNNING, sight, 503, NEEDED)).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        }
    }

    @Test
    @DisplayName("a refused connection is down only for an app that asked to stop; for any other nobody can say")
    void refused() {
        assertThat(judged(DesiredState.STOPPED, ProbeStatus.REFUSED, 0, NEEDED)).isEqualTo(GuardOutcome.STOPPED);
        assertThat(judged(DesiredState.AUTO, ProbeStatus.REFUSED, 0, NEEDED)).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
    }

    @Test
    @DisplayName("an app that asked to stop but still answers needs it, also behind a login")
    void leaving() {
        assertThat(judged(DesiredState.STOPPED, ProbeStatus.UP, 200, 0)).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(judged(DesiredState.STOPPED, ProbeStatus.DOWN, 401, NEEDED))
                .isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
    }

    @Test
    @DisplayName("an app that asked to stop but does not answer at all blocks")
    void stoppedButUnknown() {
        assertThat(judged(DesiredState.STOPPED, ProbeStatus.UNKNOWN, 0, 0)).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
    }

    @Test
    @DisplayName("once down is not enough, and the reason says how often it was")
    void confirmations() {
        AppObservation once = seen("shop", DesiredState.STOPPED, false, Rig.probed(ProbeStatus.DOWN, 503), 1);
        StopRules.Ruling ruling = StopRules.judge(List.of(once), NEEDED);
        assertThat(ruling.outcome()).isEqualTo(GuardOutcome.PENDING);
        assertThat(ruling.missing()).isEqualTo(StopRules.Missing.LOOKS);
        assertThat(ruling.reason()).contains("shop (1 of 2 times)");
    }

    @Test
    @DisplayName("the reason names who objects and why, and counts the rest of many")
    void reasons() {
        List<AppObservation> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(Look.UP.of("app" + i));
        }
        assertThat(StopRules.judge(many, NEEDED).reason())
                .contains("app0 (answers 200)")
                .contains("and 92 more")
                .hasSizeLessThan(500);
    }

    private static GuardOutcome judged(DesiredState desired, ProbeStatus sight, int code, int downs) {
        ProbeResult probed = Rig.probed(sight, sight == ProbeStatus.DOWN || sight == ProbeStatus.UP ? code : 0);
        return StopRules.judge(List.of(seen("shop", desired, false, probed, downs)), NEEDED)
                .outcome();
    }

    /** Seen so for as long as it takes. */
    private static AppObservation seen(
            String app, DesiredState desired, boolean starting, ProbeResult probed, int downs) {
        return new AppObservation(
                app,
                desired,
                starting,
                probed,
                HealthReading.of(probed, HealthCheck.USUAL),
                downs,
                Duration.ofMinutes(5),
                Duration.ofMinutes(5));
    }
}
