package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code -Dguard.simulation.seed=N} runs one world and tells its story, {@code -Dguard.simulation.seeds=N} more of them. */
@DisplayName("Two guards among flapping apps, in a world of its own time")
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("guard.simulation.seeds", 400);
    private static final int SEEDS_FOR_A_BUG = 3_000;
    /** Which of these worlds last noticed a mistake that hides well: it is tried first. */
    private static final Map<PlantedBug, Long> LAST_NOTICED_IN =
            Map.of(PlantedBug.OTHERS_DO_NOT_COUNT, 25L, PlantedBug.NO_READ_BACK, 209L);

    /** Worlds know nothing of each other: as many run at once as there are processors. */
    private static LongStream worlds(long from, long to) {
        return LongStream.range(from, to).parallel();
    }

    @Test
    @DisplayName("never stop a database that was needed when they last looked, and always stop it when all are gone")
    void holds() {
        Optional<Long> only = Optional.ofNullable(Long.getLong("guard.simulation.seed"));
        long from = only.orElse(0L);
        long to = only.map(seed -> seed + 1).orElse((long) SEEDS);
        int stops = worlds(from, to).mapToInt(SimulationTest::stopsIn).sum();
        assertThat(stops).as("stops in all worlds: else they show nothing").isGreaterThan((int) (to - from));
    }

    private static int stopsIn(long seed) {
        Simulation world = new Simulation(seed, PlantedBug.NONE);
        try {
            return world.run();
        } catch (AssertionError | RuntimeException | InterruptedException e) {
            throw new AssertionError("seed " + seed + ": " + e + "\n" + world.story(), e);
        }
    }

    @ParameterizedTest
    @EnumSource(value = PlantedBug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    @DisplayName("a mistake in the guard is noticed")
    void noticed(PlantedBug bug) {
        OptionalLong last = LongStream.of(LAST_NOTICED_IN.getOrDefault(bug, 0L))
                .filter(seed -> notices(seed, bug))
                .findAny();
        OptionalLong world = last.isPresent()
                ? last
                : worlds(0, SEEDS_FOR_A_BUG).filter(seed -> notices(seed, bug)).findAny();
        assertThat(world)
                .as("%s is noticed in one of %d worlds", bug, SEEDS_FOR_A_BUG)
                .isPresent();
        stopsIn(world.getAsLong()); // it is the mistake that was noticed
    }

    private static boolean notices(long seed, PlantedBug bug) {
        try {
            new Simulation(seed, bug).run();
            return false;
        } catch (AssertionError noticed) {
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
