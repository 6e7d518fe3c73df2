package dev.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.testkit.simulation.Simulation.Outcome;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final long SEEDS = Long.getLong("simulation.seeds", 4_000);

    @Test
    @DisplayName("all promises hold under every fault, for every seed")
    void allSeedsPass() {
        Optional<Outcome> broken = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(Simulation::run)
                .filter(outcome -> outcome.failure().isPresent())
                .findAny();
        broken.ifPresent(outcome ->
                fail("seed " + outcome.seed() + " broke " + outcome.failure().get() + "\n"
                        + Simulation.trace(outcome.seed()).trace()));
    }

    @Test
    @DisplayName("a seed gives the same run every time")
    void deterministic() {
        LongStream.rangeClosed(1, 50).parallel().forEach(seed -> {
            Outcome once = Simulation.trace(seed);
            assertThat(Simulation.trace(seed)).isEqualTo(once);
        });
    }

    @Test
    @DisplayName("within tiny bounds no state breaks a rule")
    void exploreAllStates() {
        assertThat(Explorer.exploreAll(60_000)).allSatisfy(report -> {
            assertThat(report.problem()).isEmpty();
            assertThat(report.states()).isGreaterThan(10_000);
        });
    }
}
