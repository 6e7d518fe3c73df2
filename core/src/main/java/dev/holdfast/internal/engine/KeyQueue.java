package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.judgement.Observation;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.model.Cause;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Waiter;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.Anchor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands for one lock, one after another: whoever finds the queue idle runs a {@link Round} with all that is pending;
 * what comes meanwhile is the next round.
 */
final class KeyQueue {
    private static final Logger LOG = LoggerFactory.getLogger(KeyQueue.class);

    /** Most commands decided with one write. Bounds how long one write keeps its callers waiting. */
    private static final int MAX_ROUND = 256;

    /** A lock just used is likely to be used again. */
    private static final long IDLE_FOR = 10_000_000;
    /** Longer than any renewal interval: forgetting the stamp of a held lock would cost its next renewal a read. */
    private static final long HELD_FOR = 60_000_000_000L;

    /** How long somebody who comes to wait lets those go along who were just handed the lock: the time to wake a thread, and some. */
    private static final long GATHER_NANOS = 150_000;
    /** How long ago that may be. */
    private static final long JUST_NOW = 1_000_000;

    /** Where the current round is, as seen by whoever comes next. */
    private enum State {
        IDLE,
        /** Somebody came to wait, and whoever was just handed the lock is given a moment to go along. */
        GATHERING,
        /** Its first steps run; whoever started it will look when they return. */
        STARTING,
        /** It ended during its first steps. */
        OVER,
        /** It waits for the store; whoever ends it goes on. */
        UNDER_WAY
    }

    final RecordKey key;
    final EngineParts parts;
    private final AtomicInteger waitersInAll;
    private final DecidingEngine alone;

    private List<QueuedCommand<?>> pending = List.of();
    /** Whether the last round gave the lock to somebody who waited here. */
    private volatile boolean handedOver;

    private State state = State.IDLE;
    private boolean retired;
    private @Nullable Waiting waiting;

    // Owned by the running round.
    private @Nullable Versioned cached;
    /** Writes that may still arrive: each was sent, and no answer came. */
    private volatile List<Precondition> doubts = List.of();

    private volatile List<QueuedCommand<?>> running = List.of();

    private final NewcomerPause newcomerPause;
    private @Nullable Observation observation;
    private long usedAt;

    KeyQueue(RecordKey key, EngineParts parts, AtomicInteger waitersInAll, DecidingEngine alone) {
        this.key = key;
        this.parts = parts;
        this.waitersInAll = waitersInAll;
        this.alone = alone;
        this.newcomerPause = parts.traits().exclusive() || parts.traits().blocking()
                ? NewcomerPause.NOT_NEEDED
                : new NewcomerPause();
    }

    /** Queues the command; false if this queue was retired meanwhile and another must be asked for. */
    boolean submit(QueuedCommand<?> queued, Calling calling) {
        List<QueuedCommand<?>> commands;
        synchronized (this) {
            if (retired) {
                return false;
            }
            if (pending.isEmpty()) {
                pending = new ArrayList<>(2); // the queue of a lock that is held and not asked for is small
            }
            pending.add(queued);
            if (state == State.GATHERING && !queued.waits()) {
                commands = takePending();
            } else if (state == State.IDLE) {
                commands = next();
            } else {
                return true;
            }
        }
        start(commands, calling);
        return true;
    }

    /** What the next round is about; nothing, if there is nothing, or some of it is still to come. */
    private List<QueuedCommand<?>> next() {
        if (pending.isEmpty()) {
            state = State.IDLE;
        } else if (gathers()) {
            state = State.GATHERING;
        } else {
            return takePending();
        }
        return List.of();
    }

    private void start(List<QueuedCommand<?>> commands, Calling calling) {
        if (!commands.isEmpty()) {
            run(commands, calling);
        } else if (isGathering()) {
            parts.machine().run(this::gather);
        }
    }

    private synchronized boolean isGathering() {
        return state == State.GATHERING;
    }

    /**
     * Whether to let a moment pass before those who came to wait get a place: who was just handed the lock here often gives it back
     * at once, and would have to wait for their write, which could have been one with its own. Where a write is not worth that, no.
     */
    private boolean gathers() {
        boolean hot = handedOver
                && parts.traits().blocking()
                && parts.machine().time().nanos() - usedAt < JUST_NOW;
        if (!hot) {
            return false;
        }
        for (QueuedCommand<?> queued : pending) {
            if (!queued.waits()) {
                return false;
            }
        }
        return true;
    }

    private void gather() {
        LockSupport.parkNanos(this, GATHER_NANOS);
        List<QueuedCommand<?>> commands;
        synchronized (this) {
            if (state != State.GATHERING) {
                return; // who was waited for has taken the others along
            }
            commands = takePending();
        }
        run(commands, Calling.ASYNC);
    }

    /** Rounds that end where they began follow each other in this loop, not in one another's stack. */
    private void run(List<QueuedCommand<?>> first, Calling calling) {
        List<QueuedCommand<?>> commands = first;
        Calling how = calling;
        while (true) {
            running = commands;
            try {
                new Round(this, commands, how).start();
            } catch (Throwable e) { // not even begun: the next one must not wait for it
                LOG.error("The lock engine failed at lock {}; please report this", key, e);
                List<QueuedCommand<?>> failed = commands;
                failed.forEach(queued -> queued.future.completeExceptionally(e));
                synchronized (this) {
                    state = State.OVER;
                }
            }
            synchronized (this) {
                if (state == State.STARTING) {
                    state = State.UNDER_WAY;
                    return;
                }
                commands = next();
            }
            if (commands.isEmpty()) {
                start(commands, Calling.ASYNC);
                return;
            }
            how = Calling.ASYNC; // the caller's own command is answered; the rest is others' work
        }
    }

    private List<QueuedCommand<?>> takePending() {
        state = State.STARTING;
        handedOver = false;
        if (pending.size() <= MAX_ROUND) {
            List<QueuedCommand<?>> taken = pending;
            pending = List.of();
            return taken;
        }
        List<QueuedCommand<?>> taken = new ArrayList<>(pending.subList(0, MAX_ROUND));
        pending = new ArrayList<>(pending.subList(MAX_ROUND, pending.size()));
        return taken;
    }

    /** The round is over and its callers are told; the next one starts if something came meanwhile. */
    void roundOver(@Nullable LockRecord record, boolean foreign) {
        usedAt = parts.machine().time().nanos();
        running = List.of();
        if (record != null) {
            newcomerPause.roundOver(record, foreign);
        }
        try {
            tellWaiters(record, foreign);
        } catch (Throwable e) { // the next round must start all the same
            LOG.error("The waiters for lock {} could not read it; they will when it changes", key, e);
        }
        List<QueuedCommand<?>> commands;
        synchronized (this) {
            if (state == State.STARTING) {
                state = State.OVER;
                return;
            }
            commands = next();
        }
        start(commands, Calling.ASYNC);
    }

    private void tellWaiters(@Nullable LockRecord record, boolean foreign) {
        Waiting parked = waiting();
        if (record != null && !record.queue().isEmpty()) {
            dropOrphans(record, parked);
        }
        if (parked != null && !parked.isEmpty()) {
            if (record != null) {
                parked.look(record, foreign);
            } else {
                parked.lookAgainLater();
            }
        }
    }

    /** Places this engine owns without anybody waiting for them would hold up the others. */
    private void dropOrphans(LockRecord record, @Nullable Waiting parked) {
        for (Waiter waiter : record.queue()) {
            if (waiter.engine().equals(parts.id()) && (parked == null || !parked.knows(waiter.leaseId()))) {
                parts.post(key, new Command.Withdraw(waiter.leaseId()));
            }
        }
    }

    /** The engine is closed: whoever still waits for an answer is told that none will come. */
    void abort(RuntimeException closed, RuntimeException unclear) {
        List<QueuedCommand<?>> left = new ArrayList<>(running);
        boolean doubtful = !doubts.isEmpty();
        synchronized (this) {
            left.addAll(pending);
        }
        for (QueuedCommand<?> queued : left) {
            queued.future.completeExceptionally(doubtful ? unclear : closed);
        }
    }

    /** Takes the queue out of use if nobody needs it; its record is then forgotten. */
    synchronized boolean retire(long now) {
        boolean needed = state != State.IDLE
                || !doubts.isEmpty()
                || (waiting != null && !waiting.isEmpty())
                || now - usedAt < (isHeld() ? HELD_FOR : IDLE_FOR);
        retired |= !needed;
        return !needed;
    }

    private boolean isHeld() {
        return cached != null && !cached.record().holds().isEmpty();
    }

    synchronized boolean isRetired() {
        return retired;
    }

    // ---- waiting callers

    synchronized @Nullable Waiting waiting() {
        return waiting;
    }

    /** Somebody who waited here has the lock now. */
    void handedOver() {
        handedOver = true;
    }

    synchronized Waiting waitingOrNew() {
        if (waiting == null) {
            waiting = new Waiting(this, waitersInAll);
        }
        return waiting;
    }

    DecidingEngine here() {
        Waiting parked = waiting();
        return parked == null ? alone : new DecidingEngine(parts.id(), parked.parkings(), Cause.OWNER);
    }

    // ---- what the rounds know

    @Nullable Versioned cached() {
        return cached;
    }

    void cache(@Nullable Versioned known) {
        cached = known;
    }

    List<Precondition> doubts() {
        return doubts;
    }

    void doubt(Precondition sent) {
        List<Precondition> more = new ArrayList<>(doubts);
        more.add(sent);
        doubts = more;
    }

    /** A write went through that makes all of them impossible, or a read showed that they are. */
    void noDoubts() {
        doubts = List.of();
    }

    /** A write that was decided then is done. */
    void wrote(Anchor decided) {
        newcomerPause.wrote(parts.machine().time().nanos() - decided.nanos());
    }

    /** How long newcomers are given before the lock is asked for once more. */
    Duration newcomerPause() {
        boolean held = isHeld(); // its renewals and its release would wait too
        return held ? Duration.ZERO : newcomerPause.pause(parts.machine().time().nanos() - usedAt);
    }

    Observation observation() {
        if (observation == null) {
            observation = new Observation(parts.judgement());
        }
        return observation;
    }
}
