package dev.holdfast.cli.exec;

import dev.holdfast.Lease;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.model.LostReason;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Watches over a child and its lease until the child has ended; if the lease is in danger, until all its processes have.
 *
 * <ul>
 *   <li>Renewals fail: {@code TERM} and {@code KILL} as {@link KillRule} says, all before the lease ends.
 *   <li>An operator ends the lease by force: {@code TERM} at once, {@code KILL} after {@code --kill-after}.
 *   <li>The lease is over already, because this process or machine was paused: {@code KILL} at once, as another may be at work.
 *   <li>A second {@code INT}: {@code KILL} at once.
 * </ul>
 *
 * <p>Once begun, stopping is finished, also when the store comes back: the child has been told.
 */
final class ChildWatch {
    /** A look at the lease costs nothing, so a paused machine is noticed soon after it wakes. */
    private static final long SLOWEST_LOOK = TimeUnit.SECONDS.toNanos(1);

    /** Looking through all processes of a machine has its cost. */
    private static final long STOPPING_LOOK = TimeUnit.MILLISECONDS.toNanos(50);

    /** What does not end so long after a kill hangs in the kernel, and no waiting helps. */
    private static final Duration UNKILLABLE = Duration.ofSeconds(10);

    private final ChildProcess child;
    private final Lease lease;
    private final KillRule rule;
    private final PrintWriter err;
    private final Semaphore news = new Semaphore(0);

    private volatile boolean killAsked;
    private Optional<LostReason> stoppedFor = Optional.empty();
    private long toldAt;
    private Optional<Long> killedAt = Optional.empty();

    ChildWatch(ChildProcess child, Lease lease, KillRule rule, PrintWriter err) {
        this.child = child;
        this.lease = lease;
        this.rule = rule;
        this.err = err;
    }

    /** Kills everything, soon. From any thread. */
    void killNow() {
        killAsked = true;
        news.release();
    }

    /** Returns when the child has ended; why it was stopped, if it was for its lease. */
    Optional<LostReason> untilEnded() throws InterruptedException {
        child.onEnd(news::release);
        lease.onLost(reason -> news.release());
        while (isWorkLeft()) {
            news.tryAcquire(pause(), TimeUnit.NANOSECONDS);
            news.drainPermits();
        }
        return stoppedFor;
    }

    private boolean isWorkLeft() {
        if (!isStopping() && child.isAlive()) {
            danger().ifPresent(this::begin);
        }
        return isStopping() ? !stop() : child.isAlive();
    }

    private boolean isStopping() {
        return killAsked || stoppedFor.isPresent();
    }

    /** A step of stopping; whether all is over. */
    private boolean stop() {
        ProcessTree tree = child.tree();
        tree.look(); // before anything is told to end: the children of what has ended are hard to find
        if (!child.isAlive() && tree.isGone()) {
            return true;
        }
        if (killedAt.isPresent() && System.nanoTime() - killedAt.get() > UNKILLABLE.toNanos()) {
            err.println("holdfast: killed, but still there: processes " + tree.running());
            return true;
        }
        if (killAsked || isTimeUp()) {
            tree.kill();
            killedAt = killedAt.or(() -> Optional.of(System.nanoTime()));
        } else {
            tree.term();
        }
        return false;
    }

    private Optional<LostReason> danger() {
        Optional<LostReason> lost = lease.lostFor();
        if (lost.isPresent()) {
            return lost;
        }
        return rule.mustTell(lease.remaining())
                ? Optional.of(lease.isValid() ? LostReason.STORE_UNREACHABLE : LostReason.PAUSED)
                : Optional.empty();
    }

    private void begin(LostReason reason) {
        stoppedFor = Optional.of(reason);
        toldAt = System.nanoTime();
        Duration left = lease.remaining();
        err.println("holdfast: "
                + (left.isZero()
                        ? "the lease of " + KeyText.of(lease.key()) + " is lost (" + ExecRun.spoken(reason) + ")"
                        : "the lease of " + KeyText.of(lease.key()) + " cannot be renewed and ends in " + Ages.of(left))
                + ": stopping the command");
    }

    private boolean isTimeUp() {
        boolean graceOver = System.nanoTime() - toldAt >= rule.killAfter().toNanos();
        boolean forced = stoppedFor.equals(Optional.of(LostReason.FORCED));
        return graceOver || (!forced && rule.mustKill(lease.remaining()));
    }

    private long pause() {
        if (isStopping()) {
            return Math.min(STOPPING_LOOK, rule.margin().toNanos() / 4);
        }
        return Math.min(SLOWEST_LOOK, rule.untilTold(lease.remaining()).toNanos() + 1);
    }
}
