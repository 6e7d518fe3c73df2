package dev.holdfast.testkit.simulation;

import java.time.Duration;

/** What a run is made of; drawn from its seed, in the order of the fields. */
final class SimulationPlan {
    /** So many wait in two processes that the stored queue is too short for them. */
    private static final int CROWD = 45;

    /** How many processes. */
    final int nodes;
    /** How many callers in each. */
    final int callers;
    /** How many locks. */
    final int keys;
    /** How coarse the store tells its time. */
    final Duration resolution;
    /** How often waiting engines look. */
    final Duration poll;

    final boolean notifies;
    /** How often a refusal shows an outdated record. */
    final double conflictsReturnOld;
    /** Probability that a message is lost. */
    final double lose;
    /** Probability that a message takes very long. */
    final double dawdle;
    /** Probability that the store is unavailable for a request. */
    final double refuse;
    /** Mean time between crashes, pauses and the like, in ms; 0 for none. */
    final double crash;

    final boolean clockSteps;
    /** Whether operators force locks. */
    final boolean forces;
    /** Whether callers use paths, shared and permit modes. */
    final boolean hierarchy;

    final int maxBatch;
    /** Whether only one process can use the store, which dies with it. */
    final boolean exclusive;
    /** Whether the clocks of some processes are being corrected, and run a tenth faster meanwhile. */
    final boolean slewed;
    /** Whether the store has the record locked while it refuses a write, and asks what to write instead. */
    final boolean asksAgain;
    /** Whether everybody rests for a quarter of an hour, in which unused records are deleted. */
    final boolean night;

    SimulationPlan(World world) {
        boolean calm = world.happens(0.15);
        boolean crowded = world.happens(0.02);
        exclusive = !crowded && world.happens(0.08);
        nodes = crowded ? 2 : exclusive ? 1 : 1 + world.chance.nextInt(4);
        callers = crowded ? CROWD : 1 + world.chance.nextInt(4);
        keys = crowded ? 1 : 1 + world.chance.nextInt(3);
        resolution = world.happens(0.6) ? Duration.ofNanos(1_000) : Duration.ofMillis(world.happens(0.5) ? 50 : 1_000);
        poll = Duration.ofMillis(world.happens(0.5) ? 100 : 1_000);
        notifies = world.happens(0.5);
        conflictsReturnOld = world.happens(0.3) ? 0.3 : 0;
        lose = calm ? 0 : world.chance.nextDouble(0, 0.08);
        dawdle = calm ? 0 : world.chance.nextDouble(0, 0.06);
        refuse = calm ? 0 : world.chance.nextDouble(0, 0.05);
        crash = calm ? 0 : world.happens(0.7) ? world.chance.nextDouble(800, 8_000) : 0;
        clockSteps = !calm && world.happens(0.25);
        forces = world.happens(0.3);
        hierarchy = world.happens(0.5);
        maxBatch = world.happens(0.3) ? 1 : 16;
        slewed = !calm && !exclusive && world.happens(0.1);
        asksAgain = world.happens(0.3);
        night = world.happens(0.05);
    }

    @Override
    public String toString() {
        return "SimulationPlan[nodes=" + nodes + ", callers=" + callers + ", keys=" + keys + ", resolution="
                + resolution + ", poll=" + poll + ", notifies=" + notifies + ", conflictsReturnOld="
                + conflictsReturnOld + ", lose=" + lose + ", dawdle=" + dawdle + ", refuse=" + refuse + ", crash="
                + crash + ", clockSteps=" + clockSteps + ", forces=" + forces + ", hierarchy=" + hierarchy
                + ", maxBatch=" + maxBatch + ", exclusive=" + exclusive + ", slewed=" + slewed + ", asksAgain="
                + asksAgain + ", night=" + night + "]";
    }
}
