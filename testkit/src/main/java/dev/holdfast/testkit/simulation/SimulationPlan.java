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
 * @param exclusive whether only one process can use the store, which dies with it
 * @param slewed whether the clocks of some processes are being corrected, and run a tenth faster meanwhile
 * @param asksAgain whether the store has the record locked while it refuses a write, and asks what to write instead
 * @param night whether everybody rests for a quarter of an hour, in which unused records are deleted
 */
record SimulationPlan(
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
        int maxBatch,
        boolean exclusive,
        boolean slewed,
        boolean asksAgain,
        boolean night) {

    /** So many wait in two processes that the stored queue is too short for them. */
    private static final int CROWD = 45;

    static SimulationPlan drawn(World world) {
        boolean calm = world.happens(0.15);
        boolean crowded = world.happens(0.02);
        boolean exclusive = !crowded && world.happens(0.08);
        return new SimulationPlan(
                crowded ? 2 : exclusive ? 1 : 1 + world.chance.nextInt(4),
                crowded ? CROWD : 1 + world.chance.nextInt(4),
                crowded ? 1 : 1 + world.chance.nextInt(3),
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
                world.happens(0.3) ? 1 : 16,
                exclusive,
                !calm && !exclusive && world.happens(0.1),
                world.happens(0.3),
                world.happens(0.05));
    }
}
