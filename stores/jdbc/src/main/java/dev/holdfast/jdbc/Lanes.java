package dev.holdfast.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few lanes for the same purpose. Work takes whichever is free. Those beyond the first ones are opened beside the work
 * that needs them, when it is first seen that they would help: a pool that has no connection to give must not hold up
 * writes that could go down another one.
 */
final class Lanes {
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final Database database;
    private final Database.Role role;
    private final int most;
    private final List<Lane> lanes = new ArrayList<>();
    /** The one used last is in front: the others are for the rush. */
    private final LinkedBlockingDeque<Lane> free = new LinkedBlockingDeque<>();

    private boolean growing;
    private boolean closed;

    /** One lane, which is this one. */
    static Lanes of(Database database, Database.Role role, Lane only) {
        return new Lanes(database, role, List.of(only), 1);
    }

    /** This many now, and later up to {@code most}. */
    static Lanes of(Database database, Database.Role role, int first, int most) {
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < first; i++) {
            lanes.add(new Lane(database, role));
        }
        return new Lanes(database, role, lanes, most);
    }

    private Lanes(Database database, Database.Role role, List<Lane> first, int most) {
        this.database = database;
        this.role = role;
        this.most = most;
        this.lanes.addAll(first);
        this.free.addAll(first);
    }

    /** Opens those that are there. */
    void open() {
        lanes.forEach(Lane::open);
    }

    /** Does the work on a free lane, as {@link Lane#run} does; waits for one if need be. */
    <T> T run(String doing, Lane.Work<T> work) {
        Lane lane = free.pollFirst();
        if (lane == null) {
            grow();
            lane = await(doing);
        }
        try {
            return lane.run(doing, work);
        } finally {
            free.addFirst(lane);
        }
    }

    /** An interrupt does not end it: the caller's write may be others' too, and it is short. */
    private Lane await(String doing) {
        long end = System.nanoTime() + role.patience().toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Lane lane = free.pollFirst(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (lane == null) {
                        throw Lane.busy(database, role, doing);
                    }
                    return lane;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void grow() {
        if (growing || closed || lanes.size() >= most) {
            return;
        }
        growing = true;
        Thread opener = new Thread(this::addOne, "holdfast-connect");
        opener.setDaemon(true);
        opener.start();
    }

    private void addOne() {
        Lane lane = new Lane(database, role);
        try {
            lane.open();
            add(lane);
        } catch (RuntimeException e) {
            LOG.debug("no further connection to {} can be had; going on with those there are", database.place(), e);
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
    }

    /** Waits for the work under way, then lets no more in. */
    void close() {
        List<Lane> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(lanes);
        }
        all.forEach(Lane::close);
    }
}
