package dev.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.simulation.Simulation.Outcome;
import dev.holdfast.testkit.simulation.Simulation.Subject;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The simulation notices when")
class PlantedBugsTest {
    /** A bug that hides longer than this hides too well: the simulation must get better. */
    private static final int SEEDS = 4_000;

    @TestFactory
    Stream<DynamicTest> plantedBug() {
        return PlantedBugs.all().entrySet().stream()
                .map(bug -> DynamicTest.dynamicTest(
                        bug.getKey(),
                        () -> assertThat(caught(bug.getValue()))
                                .as("a seed that shows it")
                                .isPresent()));
    }

    private static Optional<Outcome> caught(Subject subject) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome = Simulation.run(seed, subject, false);
            if (outcome.failure().isPresent()) {
                return Optional.of(outcome);
            }
        }
        return Optional.empty();
    }
}
