package dev.holdfast.state;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The state of stacks: one JSON document each, with its history, that only the holder of the stack's lock can change.
 *
 * <p>A holder first <em>claims</em> ({@link #claim}); {@link DeployLocks} does so as part of taking the lock. From then on no
 * earlier holder can save, also if this one has not saved yet and if there is no document yet.
 *
 * <p>That something may not be done is a value ({@link Refused}). Failures are exceptions: a
 * {@link dev.holdfast.spi.StoreException} of the locks or the documents, {@link StateCorruptException} when stored bytes are not what
 * was saved, {@link StateInvalidException} for what cannot be kept.
 *
 * <p>Bytes are neither copied nor changed: do not change what was given or got. Calls block. Safe for any thread and any number of
 * processes.
 */
public final class StateManager implements AutoCloseable {
    /** Most versions or stacks in one page. */
    public static final int MAX_PAGE = 1_000;

    private final LockClient locks;
    private final DocumentStore documents;
    private final StateConfig config;
    private final boolean owned;
    private final Claims claims;
    private final Commits commits;
    private final Saves saves;
    private final Reading reading;
    private final OwnLock ownLock;
    private final StateEvents events;
    private final Retention retention;
    private final VisibleLocks visible;
    private final VersionNames names = new VersionNames();
    private final Restores restores;
    private final Deletions deletions;

    private StateManager(LockClient locks, DocumentStore stored, StateConfig config, boolean owned) {
        this.locks = locks;
        this.documents = EncryptedDocuments.on(stored, config.keys());
        this.config = config;
        this.owned = owned;
        this.claims = new Claims(documents);
        this.commits = new Commits(documents, names, config);
        this.saves = new Saves(locks, commits, names, config);
        this.reading = new Reading(documents, commits);
        this.ownLock = new OwnLock(locks, claims);
        this.events = new StateEvents(locks);
        this.retention = new Retention(documents, reading, config);
        this.visible = new VisibleLocks(locks, stored, config.visibleLocks()); // for people: never encrypted
        this.restores = new Restores(ownLock, commits, reading, saves, documents.maxSize());
        this.deletions = new Deletions(locks, ownLock, commits, names);
    }

    /**
     * State on locks and documents that are already open; they stay open when it is closed. What is encrypted, with the keys in the
     * configuration, are the contents of state; not names, attributes, lock files, nor what else is kept in these documents.
     */
    public static StateManager on(LockClient locks, DocumentStore documents, StateConfig config) {
        return new StateManager(locks, documents, config, false);
    }

    /** Connects to the locks and the documents with these URLs; they are closed with it. */
    public static StateManager open(String locksUrl, String documentsUrl, StateConfig config) {
        LockClient locks = LockClient.connect(locksUrl);
        try {
            return new StateManager(locks, DocumentStores.open(documentsUrl), config, true);
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    /** The locks of stacks, services and components. */
    public DeployLocks locks() {
        return locks(DeployLocks.Pause.SLEEP);
    }

    java.time.Clock clock() {
        return config.clock();
    }

    DeployLocks locks(DeployLocks.Pause pause) {
        return new DeployLocks(locks, this, pause);
    }

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
    public DeployOutcome deployRun(DeployKey key, DeployMetadata metadata, DeployRun.Work work) throws Exception {
        DeployAttempt attempt = locks().acquire(key, metadata);
        if (attempt instanceof LockHeld held) {
            return held;
        }
        return DeployRun.run(this, (DeployLock) attempt, metadata, work);
    }

    // ---- claiming

    /** Claims for a lease on a stack's lock, or on a part of it; before its holder loads or is told that it holds. */
    public ClaimOutcome claim(Lease lease) {
        DeployKey key = DeployKey.of(lease.key());
        return claim(key, lease.leaseId(), lease.token());
    }

    /**
     * Claims for a hold on the whole stack, known by lease id and token. Idempotent. If it is refused or fails, release the
     * lock: its holder must not be told that it holds.
     */
    public ClaimOutcome claim(Stack stack, LeaseId leaseId, Token token) {
        return claim(DeployKey.of(stack), leaseId, token);
    }

    /** The same for a hold on a part of it. */
    public ClaimOutcome claim(DeployKey key, LeaseId leaseId, Token token) {
        ClaimOutcome outcome =
                claims.claim(key.stack(), leaseId, token, key.path().isWhole());
        if (outcome instanceof ClaimOutcome.Claimed) {
            visible.settle(key.stack());
        }
        return outcome;
    }

    // ---- reading

    /** The current state; empty if there is none, or only a claim. */
    public Optional<LoadedState> load(Stack stack) {
        return reading.current(stack);
    }

    /** What is known of the current state, without reading or checking its bytes. */
    public Optional<StateVersion> current(Stack stack) {
        return commits.look(stack).flatMap(head -> Attributes.version(stack, head));
    }

    /** One version of the history or of the backups; empty if there is none of this name. */
    public Optional<LoadedState> version(Stack stack, String version) {
        return reading.version(stack, version);
    }

    /** Versions, newest first. */
    public HistoryPage history(Stack stack, int limit) {
        return history(stack, limit, Optional.empty());
    }

    /**
     * Versions, newest first, going on where a page ended.
     *
     * @param limit 1 to {@value #MAX_PAGE}
     * @param cursor from {@link HistoryPage#next()}
     */
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        Checks.limit(limit);
        cursor.ifPresent(Checks::version);
        if (cursor.isEmpty()) {
            commits.preserve(stack, commits.look(stack));
        }
        return reading.history(stack, limit, cursor);
    }

    /** What changed from one version to another, by resource, with secrets masked; empty if one of them does not exist. */
    public Optional<StateDiff> diff(Stack stack, String from, String to) {
        return diff(stack, from, to, () -> false);
    }

    /** The same, until it is cancelled: see {@link StateDiff#between(byte[], byte[], BooleanSupplier)}. */
    public Optional<StateDiff> diff(Stack stack, String from, String to, BooleanSupplier cancelled) {
        Optional<LoadedState> before = version(stack, from);
        return before.flatMap(
                old -> version(stack, to).map(now -> StateDiff.between(old.content(), now.content(), cancelled)));
    }

    // ---- saving

    /** Saves under a lease on the whole stack. */
    public SaveOutcome save(Lease lease, byte[] bytes, Provenance by) {
        return save(DeployKey.of(lease.key()).stack(), lease.leaseId(), bytes, by);
    }

    /** Saves under the lease with this id, which holds the whole stack now and has claimed it. */
    public SaveOutcome save(Stack stack, LeaseId leaseId, byte[] bytes, Provenance by) {
        return save(stack, leaseId, Optional.empty(), bytes, by);
    }

    /**
     * Saves a change of a certain version; {@link Refused.Reason#CONFLICT} if another is current. For holders of a part of a
     * stack, beside whom others save other parts of the same document.
     *
     * @param loaded the version the change was made from; empty if there was no state
     */
    public SaveOutcome saveOver(Stack stack, LeaseId leaseId, Optional<String> loaded, byte[] bytes, Provenance by) {
        return save(stack, leaseId, Optional.of(loaded), bytes, by);
    }

    private SaveOutcome save(
            Stack stack, LeaseId leaseId, Optional<Optional<String>> base, byte[] bytes, Provenance by) {
        Incoming incoming = incoming(stack, bytes);
        SaveOutcome outcome = saves.save(new Saves.Wish(stack, leaseId, base, incoming, by));
        tell(stack, Optional.of(leaseId), by, bytes.length, outcome);
        return outcome;
    }

    /**
     * Saves without a lock of the caller's: takes it, not waiting, for the time of the save.
     * {@link Refused.Reason#LOCKED} with the holders if it is not free.
     */
    public SaveOutcome saveUnlocked(Stack stack, byte[] bytes, Provenance by) {
        Incoming incoming = incoming(stack, bytes);
        SaveOutcome outcome = ownLock.run(
                stack,
                by,
                "saves state without a lock of its own",
                lease -> saves.save(new Saves.Wish(stack, lease.leaseId(), Optional.empty(), incoming, by)),
                refused -> refused);
        tell(stack, Optional.empty(), by, bytes.length, outcome);
        return outcome;
    }

    private Incoming incoming(Stack stack, byte[] bytes) {
        return Incoming.checked(stack, bytes, Math.min(config.maxSize(), documents.maxSize()));
    }

    private void tell(Stack stack, Optional<LeaseId> lease, Provenance by, long size, SaveOutcome outcome) {
        if (outcome instanceof Refused refused) {
            events.refused(stack, lease, by, size, refused);
        } else if (outcome instanceof SaveOutcome.Saved saved) {
            events.saved(saved.version(), lease);
            retention.prune(stack, saved.version());
        }
    }

    // ---- keeping and going back

    /** Keeps the current version beyond its time, under its own name; empty if there is no state. Idempotent. */
    public Optional<StateVersion> backup(Stack stack) {
        return load(stack).map(state -> {
            StateVersion version = state.version();
            if (!VersionNames.isName(version.version())) { // it was there before us, and gets a name
                Instant now = VersionNames.after(config.clock().instant(), Optional.empty());
                version = version.named(names.at(now), now);
            }
            documents.write(Change.put(
                    StateNames.backup(stack, version.version()),
                    Condition.absent(),
                    state.content(),
                    Attributes.of(version, "", "")));
            return version;
        });
    }

    /**
     * Makes this version current again, as a new version: serial above every earlier one, same lineage. Takes the lock itself, not
     * waiting.
     */
    public RestoreOutcome restore(Stack stack, String version, Provenance by) {
        Optional<LoadedState> from = reading.version(stack, version);
        if (from.isEmpty()) {
            return new RestoreOutcome.NoSuchVersion(version);
        }
        RestoreOutcome outcome = restores.restore(stack, from.get(), by);
        if (outcome instanceof RestoreOutcome.Restored restored) {
            events.restored(restored.version(), restored.from(), Optional.empty());
        } else if (outcome instanceof Refused refused) {
            events.refused(stack, Optional.empty(), by, from.get().content().length, refused);
        }
        return outcome;
    }

    /** The same, with the newest version saved at this time or before. */
    public RestoreOutcome restore(Stack stack, Instant time, Provenance by) {
        return restore(stack, PointInTime.of(time), by);
    }

    /** The same, with the newest version saved before the end of what is meant: of two in the second that is given, the later. */
    public RestoreOutcome restore(Stack stack, PointInTime time, Provenance by) {
        return reading.before(stack, time.until())
                .map(version -> restore(stack, version, by))
                .orElseGet(() -> new RestoreOutcome.NoSuchVersion(time.toString()));
    }

    /** Reads every version and compares it with its checksum. */
    public Verification verify(Stack stack) {
        return verify(stack, () -> false);
    }

    /**
     * The same for somebody who may not wait until it is done.
     *
     * @param cancelled asked before each version is read; once it is true, or the thread is interrupted, the check ends
     * @throws java.util.concurrent.CancellationException if it was cancelled
     */
    public Verification verify(Stack stack, BooleanSupplier cancelled) {
        commits.preserve(stack, commits.look(stack));
        return new Verifier(documents, reading, stack, new Work("The check", cancelled)).verify();
    }

    /** Removes the current state; its history stays. Takes the lock itself, not waiting. */
    public DeleteOutcome delete(Stack stack, Provenance by) {
        DeleteOutcome outcome = deletions.unlocked(stack, by);
        if (outcome instanceof Refused refused) {
            events.refused(stack, Optional.empty(), by, 0, refused);
        }
        return outcome;
    }

    /** Removes the current state under the lease with this id, which holds the whole stack now and has claimed it. */
    public DeleteOutcome delete(Stack stack, LeaseId leaseId, Provenance by) {
        DeleteOutcome outcome = deletions.under(stack, leaseId);
        if (outcome instanceof Refused refused) {
            events.refused(stack, Optional.of(leaseId), by, 0, refused);
        }
        return outcome;
    }

    // ---- all stacks

    /**
     * Stacks that have a state, or whose first is being made, with who holds them.
     *
     * @param limit 1 to {@value #MAX_PAGE}
     * @param cursor from {@link StackPage#next()}
     */
    public StackPage list(int limit, Optional<String> cursor) {
        Checks.limit(limit);
        return new Listing(locks, documents).list(limit, cursor);
    }

    // ---- visible locks, where switched on

    /**
     * Brings the files that show people who holds a stack to what its lock says. Claims do so by themselves; whoever releases or ends
     * a lock by other means than {@link DeployLocks} calls it after. They decide nothing. Does nothing unless switched on; never fails.
     */
    public void showLock(Stack stack) {
        visible.settle(stack);
    }

    /** The same for all stacks that have such files: finds what a killed process left behind. */
    public void showLocks() {
        visible.settleAll();
    }

    // ---- end

    /** Waits a little for events under way. Closes locks and documents if it opened them. */
    @Override
    public void close() {
        events.flush();
        if (owned) {
            try {
                locks.close();
            } finally {
                documents.close();
            }
        }
    }
}
