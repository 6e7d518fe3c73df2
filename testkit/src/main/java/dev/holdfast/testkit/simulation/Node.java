package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;

/**
 * One simulated process: its own monotonic clock (another rate than true time), its own wall clock (off, and stepping), and
 * its own pauses. After a crash everything it had planned is gone.
 */
final class Node implements Machine, LocalTime {
    private static final Instant START = Instant.ofEpochSecond(1_800_000_000L);
    /** Clocks differ from true time by at most this: two of them stay within what the engine assumes. */
    static final double MAX_DRIFT = 0.0004;

    /** Longer than any lease in the simulation. */
    private static final long APART = Duration.ofSeconds(10).toNanos();

    final int index;
    private final World world;
    private final double rate;
    /** A time daemon corrects both clocks, by as much: neither looks wrong beside the other. */
    private final double slew;

    private long wallOffset;
    private int life;
    private long pausedUntil;

    private long sleptUntil = -APART;
    private long steppedAt = -APART;

    // monotonic time was `monotonicAt` at true time `trueAt`
    private long monotonicAt;
    private long trueAt;

    Node(World world, int index, double slew) {
        this.world = world;
        this.index = index;
        this.slew = slew;
        this.rate = 1 + slew + world.chance.nextDouble(-MAX_DRIFT, MAX_DRIFT);
        this.wallOffset = world.millis(-5_000, 5_000);
        this.monotonicAt = world.chance.nextLong(1L << 40);
    }

    int life() {
        return life;
    }

    boolean isPaused() {
        return pausedUntil > world.now();
    }

    /** The process dies; what it had planned never happens. */
    void crash() {
        life++;
        pausedUntil = 0;
        monotonicAt = nanos();
        trueAt = world.now();
    }

    /** The process does nothing for a while; its clocks run on. */
    void pause(long duration) {
        pausedUntil = Math.max(pausedUntil, world.now() + duration);
    }

    /** The machine sleeps: like a pause, and the monotonic clock stands still. */
    void sleep(long duration) {
        pause(duration);
        monotonicAt = nanos();
        trueAt = world.now() + duration;
        sleptUntil = trueAt;
    }

    /**
     * Whether the machine may sleep, or its wall clock be set, now: either shows on the other clock, but both within one lease
     * could hide each other. That is a documented limit.
     */
    boolean mayDeceive(boolean bySleep) {
        long other = bySleep ? steppedAt : sleptUntil;
        return world.now() - other > APART && !isPaused();
    }

    void stepWall(long by) {
        steppedAt = world.now();
        wallOffset += by;
    }

    // ---- clocks

    @Override
    public LocalTime time() {
        return this;
    }

    @Override
    public long nanos() {
        return monotonicAt + (long) (Math.max(0, world.now() - trueAt) * rate);
    }

    @Override
    public Instant wall() {
        return START.plusNanos(world.now() + (long) (world.now() * slew) + wallOffset);
    }

    // ---- tasks

    @Override
    public void run(Runnable task) {
        plan(world.millis(0.001, 0.05), task);
    }

    @Override
    public void tell(ThreadLane lane, Runnable task) {
        plan(world.millis(0.001, 0.5), task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        World.Event event = plan((long) (Math.max(0, delay.toNanos()) / rate) + world.millis(0, 0.2), task);
        return event::cancel;
    }

    /** Does the task after that much true time if the process then still lives, and not while it is paused. */
    World.Event plan(long delay, Runnable task) {
        int planned = life;
        return world.in(delay, () -> perform(planned, task));
    }

    private void perform(int planned, Runnable task) {
        if (planned != life) {
            return;
        }
        if (isPaused()) {
            world.at(pausedUntil, () -> perform(planned, task));
        } else {
            task.run();
        }
    }

    @Override
    public long random() {
        return world.chance.nextLong();
    }

    @Override
    public void close() {}
}
