package dev.holdfast.state;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.state.deploy.DeployAttempt;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployLock;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.DeployOutcome;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The state of stacks: one JSON document each, with its history, that only the holder of the stack's lock can change.
 *
 * <p>A holder first <em>claims</em> ({@link #claim}); {@link DeployLocks} does so as part of taking the lock. From then on no
 * earlier holder can save, also if this one has not saved yet and if there is no document yet.
 *
 * <p>That something may not be done is a value ({@link StateRefusal}). Failures are exceptions: a
 * {@link dev.holdfast.spi.StoreException} of the locks or the documents, {@link StateCorruptException} when stored bytes are not what
 * was saved, {@link StateInvalidException} for what cannot be kept.
 *
 * <p>It works in this process, on locks and documents ({@link #on}, {@link #open}), or through a server: {@code ServerStates} of module
 * {@code client}. There the server says who saved, and when something has to be shown to people.
 *
 * <p>Bytes are neither copied nor changed: do not change what was given or got. Calls block. Safe for any thread and any number of
 * processes.
 */
public interface StateManager extends AutoCloseable {
    /** Most versions or stacks in one page. */
    int MAX_PAGE = 1_000;

    /**
     * State on locks and documents that are already open; they stay open when it is closed. What is encrypted, with the keys in the
     * configuration, are the contents of state; not names, attributes, lock files, nor what else is kept in these documents.
     */
    static StateManager on(LockClient locks, DocumentStore documents, StateConfig config) {
        return new LocalStateManager(locks, documents, config, false);
    }

    /** Connects to the locks and the documents with these URLs; they are closed with it. */
    static StateManager open(String locksUrl, String documentsUrl, StateConfig config) {
        LockClient locks = LockClient.connect(locksUrl);
        try {
            return new LocalStateManager(locks, DocumentStores.open(documentsUrl), config, true);
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    /** The locks of stacks, services and components. */
    DeployLocks locks();

    /**
     * Runs a deployment: takes the lock if it is free, loads the state, runs the work, saves what it gives, releases. If the lock is
     * lost meanwhile, the thread is interrupted and nothing more is saved.
     *
     * <p>In a document {@code deployer-state-v1} it keeps the parts that tell of deployments: {@code lock}, who changed it last in
     * {@code metadata}, and at the end an entry of {@code deployment_history}. Any other document is saved as the work gives it.
     *
     * @throws InterruptedException if the thread is interrupted by somebody else
     * @throws Exception what the work throws; the lock is released, and checkpoints stay
     */
    default DeployOutcome deployRun(DeployKey key, DeployMetadata metadata, DeployRun.DeployWork work)
            throws Exception {
        DeployLocks locks = locks();
        DeployAttempt attempt = locks.acquire(key, metadata);
        return attempt instanceof LockHeld held
                ? held
                : DeployRun.run(this, (DeployLock) attempt, metadata, work, locks.clock());
    }

    // ---- claiming

    /** Claims for a lease on a stack's lock, or on a part of it; before its holder loads or is told that it holds. */
    default ClaimOutcome claim(Lease lease) {
        return claim(DeployKey.of(lease.key()), lease.leaseId(), lease.token());
    }

    /**
     * Claims for a hold on the whole stack, known by lease id and token. Idempotent. If it is refused or fails, release the
     * lock: its holder must not be told that it holds.
     */
    default ClaimOutcome claim(Stack stack, LeaseId leaseId, Token token) {
        return claim(DeployKey.of(stack), leaseId, token);
    }

    /** The same for a hold on a part of it. */
    ClaimOutcome claim(DeployKey key, LeaseId leaseId, Token token);

    // ---- reading

    /** The current state; empty if there is none, or only a claim. */
    Optional<LoadedState> load(Stack stack);

    /** What is known of the current state, without reading or checking its bytes. */
    Optional<StateVersion> current(Stack stack);

    /** One version of the history or of the backups; empty if there is none of this name. */
    Optional<LoadedState> version(Stack stack, String version);

    /** Versions, newest first. */
    default HistoryPage history(Stack stack, int limit) {
        return history(stack, limit, Optional.empty());
    }

    /**
     * Versions, newest first, going on where a page ended.
     *
     * @param limit 1 to {@value #MAX_PAGE}
     * @param cursor from {@link HistoryPage#next()}
     */
    HistoryPage history(Stack stack, int limit, Optional<String> cursor);

    /** What changed from one version to another, by resource, with secrets masked; empty if one of them does not exist. */
    default Optional<StateDiff> diff(Stack stack, String from, String to) {
        return diff(stack, from, to, () -> false);
    }

    /** The same, until it is cancelled: see {@link StateDiff#between(byte[], byte[], BooleanSupplier)}. */
    Optional<StateDiff> diff(Stack stack, String from, String to, BooleanSupplier cancelled);

    // ---- saving

    /** Saves under a lease on the whole stack. */
    default SaveOutcome save(Lease lease, byte[] bytes, Provenance by) {
        return save(DeployKey.of(lease.key()).stack(), lease.leaseId(), bytes, by);
    }

    /** Saves under the lease with this id, which holds the whole stack now and has claimed it. */
    SaveOutcome save(Stack stack, LeaseId leaseId, byte[] bytes, Provenance by);

    /**
     * The same for a hold that was read from the lock just now: where it is on the whole stack and has no end, the lock need not be read
     * once more. Who takes it meanwhile claims the document, and this save is refused.
     */
    default SaveOutcome save(Stack stack, Hold hold, byte[] bytes, Provenance by) {
        return save(stack, hold.leaseId(), bytes, by);
    }

    /**
     * Saves a change of a certain version; {@link StateRefusal.Reason#CONFLICT} if another is current. For holders of a part of a
     * stack, beside whom others save other parts of the same document.
     *
     * @param loaded the version the change was made from; empty if there was no state
     */
    SaveOutcome saveOver(Stack stack, LeaseId leaseId, Optional<String> loaded, byte[] bytes, Provenance by);

    /**
     * Saves without a lock of the caller's: takes it, not waiting, for the time of the save.
     * {@link StateRefusal.Reason#LOCKED} with the holders if it is not free.
     */
    SaveOutcome saveUnlocked(Stack stack, byte[] bytes, Provenance by);

    // ---- keeping and going back

    /** Keeps the current version beyond its time, under its own name; empty if there is no state. Idempotent. */
    Optional<StateVersion> backup(Stack stack);

    /**
     * Makes this version current again, as a new version: serial above every earlier one, same lineage. Takes the lock itself, not
     * waiting.
     */
    RestoreOutcome restore(Stack stack, String version, Provenance by);

    /**
     * The same, if the version that was seen is still current; {@link StateRefusal.Reason#CONFLICT} if another is. For somebody who has
     * looked at what would change.
     *
     * @param seen the version that was current; empty if there was no state
     */
    RestoreOutcome restoreOver(Stack stack, Optional<String> seen, String version, Provenance by);

    /** The same, with the newest version saved at this time or before. */
    default RestoreOutcome restore(Stack stack, Instant time, Provenance by) {
        return restore(stack, PointInTime.of(time), by);
    }

    /** The same, with the newest version saved before the end of what is meant: of two in the second that is given, the later. */
    RestoreOutcome restore(Stack stack, PointInTime time, Provenance by);

    /** Reads every version and compares it with its checksum. */
    default Verification verify(Stack stack) {
        return verify(stack, () -> false);
    }

    /**
     * The same for somebody who may not wait until it is done.
     *
     * @param cancelled asked before each version is read; once it is true, or the thread is interrupted, the check ends
     * @throws java.util.concurrent.CancellationException if it was cancelled
     */
    Verification verify(Stack stack, BooleanSupplier cancelled);

    /** Removes the current state; its history stays. Takes the lock itself, not waiting. */
    DeleteOutcome delete(Stack stack, Provenance by);

    /** Removes the current state under the lease with this id, which holds the whole stack now and has claimed it. */
    DeleteOutcome delete(Stack stack, LeaseId leaseId, Provenance by);

    // ---- all stacks

    /**
     * Stacks that have a state, or whose first is being made, with who holds them.
     *
     * @param limit 1 to {@value #MAX_PAGE}
     * @param cursor from {@link StackPage#next()}
     */
    StackPage list(int limit, Optional<String> cursor);

    // ---- visible locks, where switched on

    /**
     * Brings the files that show people who holds a stack to what its lock says. Claims do so by themselves; whoever releases or ends
     * a lock by other means than {@link DeployLocks} calls it after. They decide nothing. Does nothing unless switched on; never fails.
     */
    void showLock(Stack stack);

    /** The same for all stacks that have such files: finds what a killed process left behind. */
    void showLocks();

    // ---- end

    /** Waits a little for events under way. Closes locks and documents if it opened them. */
    @Override
    void close();
}
