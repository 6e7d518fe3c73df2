package dev.holdfast.state;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.model.LostReason;
import dev.holdfast.state.deploy.DeployLock;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.DeployOutcome;
import dev.holdfast.state.deploy.DeployStoppedException;
import dev.holdfast.state.deploy.DeploymentNotes;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.time.Clock;
import java.util.Optional;

/**
 * A deployment under way: acquire, load, plan and execute with checkpoints, save, release.
 *
 * <p>The lock is watched meanwhile. When it is lost, the thread that works is interrupted, and every later checkpoint is refused.
 */
public final class DeployRun {
    private final StateManager state;
    private final DeployLock lock;
    private final Provenance by;
    private final Optional<LoadedState> before;
    private final DeploymentNotes notes;
    private final Interrupter interrupter = new Interrupter(Thread.currentThread());
    private Optional<StateVersion> saved = Optional.empty();

    private DeployRun(StateManager state, DeployLock lock, DeployMetadata metadata, Clock clock) {
        this.state = state;
        this.lock = lock;
        this.by = Provenance.of(metadata.lockedBy(), "deploy");
        this.before = state.load(lock.key().stack());
        this.notes = new DeploymentNotes(lock, metadata, before, clock);
    }

    /** What is done under the lock. */
    @FunctionalInterface
    public interface DeployWork {
        /** Plans and executes; the bytes to be saved at the end. */
        byte[] run(DeployRun run) throws Exception;
    }

    static DeployOutcome run(StateManager state, DeployLock lock, DeployMetadata metadata, DeployWork work, Clock clock)
            throws Exception {
        try (lock) {
            return new DeployRun(state, lock, metadata, clock).run(work);
        }
    }

    /** The state as it was when the lock was taken. */
    public Optional<LoadedState> before() {
        return before;
    }

    /** The lease, for whatever else checks its token. */
    public Lease lease() {
        return lock.lease();
    }

    /**
     * Does nothing while the lock is certainly held. Call it before each effect.
     *
     * @throws LeaseLostException otherwise
     */
    public void ensureValid() {
        lock.ensureValid();
    }

    /**
     * Saves how far it got, so that a killed run is not forgotten.
     *
     * @throws LeaseLostException if the lock is lost
     * @throws DeployStoppedException if the save was refused
     */
    public StateVersion checkpoint(byte[] bytes) {
        return saved(notes.underWay(bytes));
    }

    private StateVersion saved(byte[] bytes) {
        lock.ensureValid();
        Stack stack = lock.key().stack();
        SaveOutcome outcome;
        if (lock.key().path().isWhole()) {
            outcome = state.save(lock.lease(), bytes, by);
        } else {
            Optional<String> base =
                    saved.or(() -> before.map(LoadedState::version)).map(StateVersion::version);
            outcome = state.saveOver(stack, lock.lease().leaseId(), base, bytes, by);
        }
        if (outcome instanceof StateRefusal refused) {
            throw new DeployStoppedException(refused);
        }
        StateVersion version =
                outcome instanceof SaveOutcome.Saved made ? made.version() : ((SaveOutcome.Repeated) outcome).version();
        saved = Optional.of(version);
        return version;
    }

    private DeployOutcome run(DeployWork work) throws Exception {
        lock.lease().onLost(reason -> interrupter.interrupt());
        try {
            byte[] bytes = work.run(this);
            interrupter.stop();
            return new DeployOutcome.Completed(saved(notes.completed(bytes)));
        } catch (DeployStoppedException e) {
            return stopped(e.refused().message(), e.refused().lost());
        } catch (LeaseLostException e) {
            return stopped(String.valueOf(e.getMessage()), Optional.of(e.reason()));
        } catch (Exception e) {
            Optional<LostReason> lost = lock.lostFor();
            if (lost.isEmpty()) {
                throw e;
            }
            return stopped("The lock was lost (" + lost.get() + "), and the work was stopped: " + e, lost);
        } finally {
            interrupter.stop();
        }
    }

    private DeployOutcome stopped(String message, Optional<LostReason> lost) {
        return new DeployOutcome.Stopped(message, lost.or(() -> lock.lostFor()), saved);
    }

    /** Interrupts the work when the lock is lost, and nothing that comes after it. */
    private static final class Interrupter {
        private final Thread thread;
        private boolean over;
        private boolean done;

        Interrupter(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt() {
            if (!over) {
                done = true;
                thread.interrupt();
            }
        }

        synchronized void stop() {
            if (done && !over) {
                Thread.interrupted(); // ours: it must not meet the release, or the caller
            }
            over = true;
        }
    }
}
