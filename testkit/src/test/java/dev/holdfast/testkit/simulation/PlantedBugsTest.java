package dev.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.simulation.Simulation.Subject;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The simulation notices when")
class PlantedBugsTest {
    /** A bug that hides longer than this hides too well: the simulation must get better. */
    private static final int SEEDS = 4_000;

    /**
     * Which of these seeds last caught those that hide well: it is tried first, and the rest only when a change of the simulation gave
     * it another run. Then look for the new ones: it saves most of the time of this test.
     */
    private static final Map<String, Long> LAST_CAUGHT_BY = Map.of(
            "a failed renewal is taken for a good one", 1_057L,
            "a hold is watched for no longer than its lease", 1_670L);

    @TestFactory
    Stream<DynamicTest> plantedBug() {
        return PlantedBugs.all().entrySet().stream()
                .map(bug -> DynamicTest.dynamicTest(
                        bug.getKey(),
                        () -> assertThat(seeds(bug.getKey()).anyMatch(seed -> isCaught(seed, bug.getValue())))
                                .as("a seed shows it")
                                .isTrue()));
    }

    private static LongStream seeds(String bug) {
        long last = LAST_CAUGHT_BY.getOrDefault(bug, 1L);
        return LongStream.concat(LongStream.of(last), LongStream.rangeClosed(1, SEEDS));
    }

    private static boolean isCaught(long seed, Subject subject) {
        return Simulation.run(seed, subject, false).failure().isPresent();
    }
}
