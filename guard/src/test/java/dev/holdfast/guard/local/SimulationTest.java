package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dguard.simulation.seed=N} runs one world and tells its story, {@code -Dguard.simulation.seeds=N} more of them. */
@DisplayName("Two guards among flapping apps, in a world of its own time")
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("guard.simulation.seeds", 1_000);
    private static final int SEEDS_FOR_A_BUG = 3_000;

    @Test
    @DisplayName("never stop a database that was needed when they last looked, and always stop it when all are gone")
    void holds() {
        Optional<Long> only = Optional.ofNullable(Long.getLong("guard.simulation.seed"));
        long from = only.orElse(0L);
        long to = only.map(seed -> seed + 1).orElse((long) SEEDS);
        int stops = 0;
        for (long seed = from; seed < to; seed++) {
            Simulation world = new Simulation(seed, PlantedBug.NONE);
            try {
                stops += world.run();
            } catch (AssertionError | RuntimeException | InterruptedException e) {
                throw new AssertionError("seed " + seed + ": " + e + "\n" + String.join("\n", world.story()), e);
            }
        }
        assertThat(stops).as("stops in all worlds: else they show nothing").isGreaterThan((int) (to - from));
    }

    @ParameterizedTest
    @EnumSource(value = PlantedBug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @DisplayName("a mistake in the guard is noticed")
    void noticed(PlantedBug bug) throws InterruptedException {
        for (long seed = 0; seed < SEEDS_FOR_A_BUG; seed++) {
            try {
                new Simulation(seed, bug).run();
            } catch (AssertionError noticed) {
                new Simulation(seed, PlantedBug.NONE).run(); // it is the mistake that was noticed
                return;
            }
        }
        throw new AssertionError(bug + " was not noticed in " + SEEDS_FOR_A_BUG + " worlds");
    }
}
