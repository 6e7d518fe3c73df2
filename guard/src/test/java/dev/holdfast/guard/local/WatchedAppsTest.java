package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.AppAnswer;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.probe.ProbeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who looks at a resource is shown")
class WatchedAppsTest {
    private static ResourceView.User user(Rig rig, String app) {
        return rig.db().apps().stream()
                .filter(user -> user.app().equals(app))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("nothing of an app at which nobody had a reason to look")
    void nothing() throws Exception {
        try (Rig rig = new Rig()) {
            rig.sharing("a");
            assertThat(user(rig, "a").watch()).isEqualTo(ResourceView.Watch.NONE);
            assertThat(user(rig, "a").checkedAt()).isEmpty();
        }
    }

    @Test
    @DisplayName("how each app stands to a stop that is asked for, and when one that fails will count as down")
    void standing() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMinutes(5)))) {
            rig.sharing("a", "b");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            rig.apps.answers("b", ProbeStatus.DOWN, 503);
            Instant before = Instant.now();
            GuardDecision decision = rig.stop("a");

            assertThat(user(rig, "a").desired()).isEqualTo(DesiredState.STOPPED);
            ResourceView.Watch failing = user(rig, "b").watch();
            assertThat(failing.standing()).contains(AppStanding.FAILING);
            assertThat(failing.downAfter()).contains(Duration.ofMinutes(5));
            assertThat(failing.downAt().orElseThrow())
                    .isBetween(before.plus(Duration.ofMinutes(4)), Instant.now().plus(Duration.ofMinutes(5)));
            assertThat(decision.evidence())
                    .filteredOn(seen -> seen.app().equals("b"))
                    .extracting(Evidence::standing)
                    .containsExactly(Optional.of(AppStanding.FAILING));
            assertThat(decision.act()).isEmpty();

            rig.apps.are(ProbeStatus.UP, "b");
            rig.guard.reconcile(Rig.DB);
            assertThat(user(rig, "b").watch().standing()).contains(AppStanding.NEEDS);
            assertThat(user(rig, "b").watch().downAt()).isEmpty();
            rig.guard.start("a");
            assertThat(user(rig, "b").watch().standing())
                    .as("nobody asks for a stop any more")
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("the last answers of an app, newest first, no more than are kept, and since when they are alike")
    void answers() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMinutes(5)))) {
            rig.sharing("a", "b");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            rig.stop("a");
            rig.apps.answers("b", ProbeStatus.UNKNOWN, 0);
            rig.guard.reconcile(Rig.DB);
            rig.apps.answers("b", ProbeStatus.DOWN, 500);
            rig.guard.reconcile(Rig.DB);
            assertThat(user(rig, "b").watch().answers().subList(0, 3))
                    .extracting(AppAnswer::kind)
                    .contains(AppAnswer.Kind.DOWN, AppAnswer.Kind.NO_ANSWER)
                    .startsWith(AppAnswer.Kind.DOWN);
            assertThat(user(rig, "a").watch().answers().get(0).kind()).isEqualTo(AppAnswer.Kind.REFUSED);
            assertThat(user(rig, "a").watch().since())
                    .contains(user(rig, "a").watch().answers().get(0).at());
            for (int i = 0; i < 3 * AnswerMemory.ANSWERS; i++) {
                rig.guard.reconcile(Rig.DB);
            }
            assertThat(user(rig, "b").watch().answers()).hasSize(AnswerMemory.ANSWERS);
            assertThat(rig.db().latest(1, 2).apps().get(1).watch().answers()).hasSize(2);
            assertThat(rig.db().latest(1, 2).decisions()).hasSize(1);
            assertThat(rig.another()
                            .resource(Rig.DB)
                            .orElseThrow()
                            .apps()
                            .get(1)
                            .watch())
                    .as("another guard has seen nothing itself")
                    .isEqualTo(ResourceView.Watch.NONE);
        }
    }

    @Test
    @DisplayName("no answers of an address that the app had before")
    void anotherAddress() throws Exception {
        try (Rig rig = new Rig(Rig.downAfter(Duration.ofMinutes(5)))) {
            rig.sharing("a", "b");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            rig.stop("a");
            assertThat(user(rig, "b").watch().answers()).isNotEmpty();
            rig.guard.register(
                    new Registration("b", "http://elsewhere/", List.of(Rig.use("postgres", "db1")), Optional.empty()));
            assertThat(user(rig, "b").watch().answers()).isEmpty();
            assertThat(user(rig, "b").watch().since()).isEmpty();
        }
    }

    @Test
    @DisplayName("what the actuator said, in the decision that followed, also after it was stored")
    void act() throws Exception {
        try (Rig rig = new Rig()) {
            rig.sharing("a");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            GuardDecision stopped = rig.stop("a");
            assertThat(stopped.act().orElseThrow().failed()).isFalse();
            assertThat(rig.db().decisions().get(0)).isEqualTo(stopped);
            assertThat(stopped.evidence().get(0).standing()).contains(AppStanding.GONE);
        }
    }

    @Test
    @DisplayName("a dry run changes nothing of how an app is shown to stand")
    void dryRun() throws Exception {
        try (Rig rig = new Rig()) {
            rig.sharing("a", "b");
            rig.apps.are(ProbeStatus.REFUSED, "a");
            rig.guard.checkStop("a");
            assertThat(user(rig, "a").watch().standing()).isEmpty();
            assertThat(user(rig, "a").watch().answers()).isNotEmpty();
        }
    }
}
