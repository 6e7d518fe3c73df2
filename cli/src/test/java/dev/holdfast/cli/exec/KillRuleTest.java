package dev.holdfast.cli.exec;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KillRuleTest {
    @Test
    @DisplayName("with the usual lease a renewal may be 8 s late, TERM leaves 10 s, and KILL comes before the end")
    void usual() {
        KillRule rule = KillRule.of(ofSeconds(30));
        Duration trusted = ofMillis(29_850);
        assertThat(rule.mustTell(trusted.minus(ofSeconds(10))))
                .as("a renewal is due")
                .isFalse();
        assertThat(rule.mustTell(trusted.minus(ofSeconds(18))))
                .as("it is 8 s late")
                .isFalse();
        assertThat(rule.mustTell(ofMillis(11_500))).isTrue();
        assertThat(rule.mustKill(ofMillis(11_500).minus(rule.killAfter()).plusMillis(1)))
                .isFalse();
        assertThat(rule.mustKill(ofMillis(1_500))).isTrue();
        assertThat(rule.mustKill(Duration.ZERO)).isTrue();
    }

    @Test
    @DisplayName("whatever the lease, a renewal has some time before the command is told to end")
    void anyLease() {
        for (Duration lease : List.of(Terms.MIN_LEASE, ofSeconds(1), ofSeconds(5), ofSeconds(90), Terms.MAX_LEASE)) {
            Duration whenDue = lease.minus(lease.dividedBy(200)).minus(Terms.renewal(lease));
            for (KillRule rule : List.of(KillRule.of(lease), new KillRule(lease, lease.dividedBy(2)))) {
                assertThat(rule.untilTold(whenDue)).as("%s", rule).isGreaterThan(lease.dividedBy(10));
                assertThat(rule.margin()).isPositive();
            }
        }
    }

    @Test
    @DisplayName("more than half of the lease is refused, naming both and what would do")
    void tooLong() {
        assertThatThrownBy(() -> new KillRule(ofSeconds(10), ofMillis(5_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--kill-after 5001ms", "--lease 10s", "10002ms", "--kill-after 5s");
    }
}
