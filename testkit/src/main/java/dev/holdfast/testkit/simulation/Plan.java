package dev.holdfast.testkit.simulation;

import java.time.Duration;

/**
 * What a run is made of; drawn from its seed.
 *
 * @param nodes how many processes
 * @param callers how many callers in each
 * @param keys how many locks
 * @param resolution how coarse the store tells its time
 * @param poll how often waiting engines look
 * @param notifies whether the store notifies
 * @param conflictsReturnOld how often a refusal shows an outdated record
 * @param lose probability that a message is lost
 * @param dawdle probability that a message takes very long
 * @param refuse probability that the store is unavailable for a request
 * @param crash mean time between crashes, pauses and the like, in ms; 0 for none
 * @param clockSteps whether the store's clock steps
 * @param forces whether operators force locks
 * @param hierarchy whether callers use paths, shared and permit modes
 * @param maxBatch most records in one write
 */
record Plan(
        int nodes,
        int callers,
        int keys,
        Duration resolution,
        Duration poll,
        boolean notifies,
        double conflictsReturnOld,
        double lose,
        double dawdle,
        double refuse,
        double crash,
        boolean clockSteps,
        boolean forces,
        boolean hierarchy,
        int maxBatch) {

    static Plan drawn(World world) {
        boolean calm = world.happens(0.15);
        return new Plan(
                1 + world.chance.nextInt(4),
                1 + world.chance.nextInt(4),
                1 + world.chance.nextInt(3),
                world.happens(0.6) ? Duration.ofNanos(1_000) : Duration.ofMillis(world.happens(0.5) ? 50 : 1_000),
                Duration.ofMillis(world.happens(0.5) ? 100 : 1_000),
                world.happens(0.5),
                world.happens(0.3) ? 0.3 : 0,
                calm ? 0 : world.chance.nextDouble(0, 0.08),
                calm ? 0 : world.chance.nextDouble(0, 0.06),
                calm ? 0 : world.chance.nextDouble(0, 0.05),
                calm ? 0 : world.happens(0.7) ? world.chance.nextDouble(800, 8_000) : 0,
                !calm && world.happens(0.25),
                world.happens(0.3),
                world.happens(0.5),
                world.happens(0.3) ? 1 : 16);
    }
}
