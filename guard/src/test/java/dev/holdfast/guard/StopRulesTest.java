package dev.holdfast.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whether a resource may be stopped")
class StopRulesTest {
    private static final int NEEDED = 2;

    /** How an app may be, as seen by the rules, and what one such app alone leads to. */
    private enum Look {
        UP(Outcome.SKIPPED_SHARED_ACTIVE),
        DOWN(Outcome.STOPPED),
        UNKNOWN(Outcome.SKIPPED_UNKNOWN),
        STARTING(Outcome.SKIPPED_SHARED_ACTIVE);

        final Outcome alone;

        Look(Outcome alone) {
            this.alone = alone;
        }

        Sighting of(String app) {
            Probed probed = switch (this) {
                case UP -> Rig.probed(Sight.UP, 200);
                case DOWN, STARTING -> Rig.probed(Sight.DOWN, 503);
                case UNKNOWN -> Rig.probed(Sight.UNKNOWN, 0);
            };
            return new Sighting(app, Desired.AUTO, this == STARTING, probed, this == UNKNOWN ? 0 : NEEDED);
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
                    List<Look> looks = List.of(a, b, c);
                    Outcome expected = looks.stream().anyMatch(look -> look.alone == Outcome.SKIPPED_SHARED_ACTIVE)
                            ? Outcome.SKIPPED_SHARED_ACTIVE
                            : looks.contains(Look.UNKNOWN) ? Outcome.SKIPPED_UNKNOWN : Outcome.STOPPED;
                    for (List<Integer> order : orders()) {
                        List<Sighting> sightings = new ArrayList<>();
                        order.forEach(i -> sightings.add(looks.get(i).of("app" + i)));
                        assertThat(StopRules.judge(sightings, NEEDED).outcome())
                                .as("%s in order %s", looks, order)
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
    @DisplayName(
            "answers that want a login, less haste, or point elsewhere mean that the app runs; every other answer but 200 that it is down")
    void everyCode() {
        for (int code = 100; code < 600; code++) {
            if (code == 200) {
                continue;
            }
            boolean runs = code == 401 || code == 403 || code == 429 || code / 100 == 3;
            assertThat(judged(Desired.AUTO, Sight.DOWN, code, NEEDED))
                    .as("code %d", code)
                    .isEqualTo(runs ? Outcome.SKIPPED_SHARED_ACTIVE : Outcome.STOPPED);
        }
    }

    @Test
    @DisplayName("an app that is wished running needs it, whatever is seen")
    void wishedRunning() {
        for (Sight sight : Sight.values()) {
            assertThat(judged(Desired.RUNNING, sight, 503, NEEDED)).isEqualTo(Outcome.SKIPPED_SHARED_ACTIVE);
        }
    }

    @Test
    @DisplayName("a refused connection is down only for an app that asked to stop; for any other nobody can say")
    void refused() {
        assertThat(judged(Desired.STOPPED, Sight.REFUSED, 0, NEEDED)).isEqualTo(Outcome.STOPPED);
        assertThat(judged(Desired.AUTO, Sight.REFUSED, 0, NEEDED)).isEqualTo(Outcome.SKIPPED_UNKNOWN);
    }

    @Test
    @DisplayName("an app that asked to stop but still answers needs it, also behind a login")
    void leaving() {
        assertThat(judged(Desired.STOPPED, Sight.UP, 200, 0)).isEqualTo(Outcome.SKIPPED_SHARED_ACTIVE);
        assertThat(judged(Desired.STOPPED, Sight.DOWN, 401, NEEDED)).isEqualTo(Outcome.SKIPPED_SHARED_ACTIVE);
    }

    @Test
    @DisplayName("an app that asked to stop but does not answer at all blocks")
    void stoppedButUnknown() {
        assertThat(judged(Desired.STOPPED, Sight.UNKNOWN, 0, 0)).isEqualTo(Outcome.SKIPPED_UNKNOWN);
    }

    @Test
    @DisplayName("once down is not enough, and the reason says how often it was")
    void confirmations() {
        Sighting once = new Sighting("shop", Desired.AUTO, false, Rig.probed(Sight.DOWN, 503), 1);
        StopRules.Ruling ruling = StopRules.judge(List.of(once), NEEDED);
        assertThat(ruling.outcome()).isEqualTo(Outcome.PENDING);
        assertThat(ruling.confirming()).isTrue();
        assertThat(ruling.reason()).contains("shop (1 of 2 times)");
    }

    @Test
    @DisplayName("the reason names who objects and why, and counts the rest of many")
    void reasons() {
        List<Sighting> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(Look.UP.of("app" + i));
        }
        assertThat(StopRules.judge(many, NEEDED).reason())
                .contains("app0 (answers 200)")
                .contains("and 92 more")
                .hasSizeLessThan(500);
    }

    private static Outcome judged(Desired desired, Sight sight, int code, int downs) {
        Probed probed = Rig.probed(sight, sight == Sight.DOWN || sight == Sight.UP ? code : 0);
        return StopRules.judge(List.of(new Sighting("shop", desired, false, probed, downs)), NEEDED)
                .outcome();
    }
}
