package dev.holdfast.jdbc.connection;

import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few lanes for the same purpose. Work takes whichever is free. Those beyond the first are opened beside the work
 * that needs them, when it is first seen that they would help: a pool that has no connection to give must not hold up
 * writes that could go down another one. What is not needed at rest is closed again after {@link SqlDatabase#keepsIdle()}.
 *
 * <p>A lane that lost its connection is dropped while there is another: who took it would wait for a new connection, and an open
 * one would be idle meanwhile. Only when it is the last does the work itself open it again.
 */
public final class Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    /** After one that could not be opened: a server that has none left is not asked for one with every write. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final SqlDatabase database;
    private final ConnectionRole role;
    private final int resting;
    private final int most;

    /** Never empty. */
    private final List<Lane> lanes;
    /** The one used last is in front: the others are for the rush. */
    private final LinkedBlockingDeque<Lane> free;

    private boolean growing;
    private @Nullable Long failedNanos;
    private boolean closed;
    private @Nullable Thread tidying;

    /** This many always, and under load up to {@code most}. */
    public static Lanes of(SqlDatabase database, ConnectionRole role, int resting, int most) {
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < resting; i++) {
            lanes.add(new Lane(database, role));
        }
        return new Lanes(database, role, lanes, resting, most);
    }

    /** No connection at rest, and up to {@code most} when there is work. */
    public static Lanes ofNone(SqlDatabase database, ConnectionRole role, int most) {
        return new Lanes(database, role, List.of(new Lane(database, role)), 0, most);
    }

    private Lanes(SqlDatabase database, ConnectionRole role, List<Lane> first, int resting, int most) {
        this.database = database;
        this.role = role;
        this.resting = resting;
        this.most = most;
        this.lanes = new ArrayList<>(first);
        this.free = new LinkedBlockingDeque<>(first);
    }

    /** At the start: opens those that are there. */
    public void open() {
        List.copyOf(lanes).forEach(Lane::open);
        tidyLater();
    }

    /** Does the work on a free lane, as {@link Lane#run} does; waits for one if need be. */
    public <T> T run(String doing, Lane.SqlWork<T> work) {
        Lane lane = free.pollFirst();
        if (lane == null) {
            grow();
            lane = Lane.await(database, role, doing, nanos -> free.pollFirst(nanos, TimeUnit.NANOSECONDS));
        }
        try {
            return lane.run(doing, work);
        } finally {
            giveBack(lane);
            tidyLater();
        }
    }

    private void giveBack(Lane lane) {
        if (lane.isOpen()) {
            free.addFirst(lane);
        } else if (!isDropped(lane)) {
            free.addLast(lane);
        } else if (free.isEmpty()) {
            grow(); // whoever waits would have got this one
        }
    }

    /** Takes a lane away that nobody uses, unless it is the last. */
    private synchronized boolean isDropped(Lane lane) {
        return lanes.size() > 1 && lanes.remove(lane);
    }

    // ---- more of them

    private synchronized void grow() {
        if (growing || closed || lanes.size() >= most) {
            return;
        }
        if (failedNanos != null && System.nanoTime() - failedNanos < AFTER_FAILURE.toNanos()) {
            return;
        }
        growing = true;
        DaemonThreads.start("holdfast-connect", this::addOne);
    }

    private void addOne() {
        Lane lane = new Lane(database, role);
        try {
            lane.open();
            add(lane);
            tidyLater();
        } catch (RuntimeException e) {
            synchronized (this) {
                failedNanos = System.nanoTime();
            }
            LOG.debug(
                    "no further connection to {} can be opened; continuing with those there are",
                    database.failures().place(),
                    e);
        } finally {
            synchronized (this) {
                growing = false;
            }
        }
    }

    private synchronized void add(Lane lane) {
        if (closed) {
            lane.close();
            return;
        }
        lanes.add(lane);
        free.addFirst(lane);
        for (Lane other : List.copyOf(free)) {
            if (!other.isOpen() && free.remove(other) && !isDropped(other)) {
                free.addLast(other);
            }
        }
    }

    // ---- fewer of them

    /** Sees to it that what is no longer used is closed; does nothing while there is nothing to close. */
    private synchronized void tidyLater() {
        if (tidying != null || closed || database.keepsIdle().isEmpty() || lanes.size() <= resting) {
            return;
        }
        Duration idle = database.keepsIdle().get();
        tidying = DaemonThreads.start("holdfast-tidy", () -> tidy(idle));
    }

    private void tidy(Duration idle) {
        try {
            do {
                TimeUnit.NANOSECONDS.sleep(idle.toNanos() / 2);
            } while (!isAtRest(idle));
        } catch (InterruptedException e) {
            LOG.trace("closed meanwhile");
        }
    }

    /** Closes what was not used for so long; says whether nothing is left to close. */
    private boolean isAtRest(Duration idle) {
        closeIdle(idle);
        synchronized (this) {
            // Decided together: whoever uses a lane after this starts to tidy anew.
            boolean rests = lanes.stream().filter(Lane::isOpen).count() <= resting;
            if (rests) {
                tidying = null;
            }
            return rests;
        }
    }

    private void closeIdle(Duration idle) {
        List<Lane> idlers = free.stream().filter(Lane::isOpen).toList();
        long kept;
        synchronized (this) {
            kept = lanes.stream()
                    .filter(lane -> lane.isOpen() && !idlers.contains(lane)) // at work
                    .count();
        }
        for (Lane lane : idlers) {
            if (kept >= resting && lane.isIdleFor(idle) && free.remove(lane)) {
                if (isDropped(lane)) {
                    lane.close();
                } else {
                    lane.rest();
                    free.addLast(lane);
                }
            } else {
                kept++;
            }
        }
    }

    /** Waits for the work under way, then lets no more in. */
    public void close() {
        List<Lane> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(lanes);
            if (tidying != null) {
                tidying.interrupt();
            }
        }
        all.forEach(Lane::close);
    }
}
