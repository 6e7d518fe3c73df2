package dev.holdfast.state;

import dev.holdfast.LockClient;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.document.CancellableWork;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.store.Attributes;
import dev.holdfast.state.store.Claims;
import dev.holdfast.state.store.Commits;
import dev.holdfast.state.store.Deletions;
import dev.holdfast.state.store.DocumentToSave;
import dev.holdfast.state.store.OwnLock;
import dev.holdfast.state.store.Restores;
import dev.holdfast.state.store.Retention;
import dev.holdfast.state.store.SaveRight;
import dev.holdfast.state.store.Saves;
import dev.holdfast.state.store.StackListing;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.store.Verifier;
import dev.holdfast.state.store.VersionReader;
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
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** State in documents that this process reads and writes itself. */
final class LocalStateManager implements StateManager {
    private final LockClient locks;
    private final DocumentStore documents;
    private final StateConfig config;
    private final boolean owned;
    private final Claims claims;
    private final Commits commits;
    private final Saves saves;
    private final VersionReader reading;
    private final OwnLock ownLock;
    private final StateEvents events;
    private final Retention retention;
    private final VisibleLocks visible;
    private final VersionNames names = new VersionNames();
    private final Restores restores;
    private final Deletions deletions;

    LocalStateManager(LockClient locks, DocumentStore stored, StateConfig config, boolean owned) {
        this.locks = locks;
        this.documents = EncryptedDocuments.on(stored, config.keys());
        this.config = config;
        this.owned = owned;
        this.claims = new Claims(documents);
        this.commits = new Commits(documents, names, config);
        this.saves = new Saves(locks, commits, names, config);
        this.reading = new VersionReader(documents, commits);
        this.ownLock = new OwnLock(locks, claims);
        this.events = new StateEvents(locks);
        this.retention = new Retention(documents, reading, config);
        this.visible = new VisibleLocks(locks, stored, config.visibleLocks()); // for people: never encrypted
        this.restores = new Restores(ownLock, commits, reading, saves, documents.maxSize());
        this.deletions = new Deletions(locks, ownLock, commits, names);
    }

    @Override
    public DeployLocks locks() {
        return locks(DeployLocks.Pause.SLEEP);
    }

    DeployLocks locks(DeployLocks.Pause pause) {
        return new DeployLocks(locks, this, pause, config.clock());
    }

    // ---- claiming

    @Override
    public ClaimOutcome claim(DeployKey key, LeaseId leaseId, Token token) {
        ClaimOutcome outcome =
                claims.claim(key.stack(), leaseId, token, key.path().isWhole());
        if (outcome instanceof ClaimOutcome.Claimed) {
            visible.settle(key.stack());
        }
        return outcome;
    }

    // ---- reading

    @Override
    public Optional<LoadedState> load(Stack stack) {
        return reading.current(stack);
    }

    @Override
    public Optional<StateVersion> current(Stack stack) {
        return commits.look(stack).flatMap(head -> Attributes.version(stack, head));
    }

    @Override
    public Optional<LoadedState> version(Stack stack, String version) {
        return reading.version(stack, version);
    }

    @Override
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        checkLimit(limit);
        cursor.ifPresent(VersionNames::check);
        if (cursor.isEmpty()) {
            commits.preserve(stack, commits.look(stack));
        }
        return reading.history(stack, limit, cursor);
    }

    @Override
    public Optional<StateDiff> diff(Stack stack, String from, String to, BooleanSupplier cancelled) {
        Optional<LoadedState> before = version(stack, from);
        return before.flatMap(
                old -> version(stack, to).map(now -> StateDiff.between(old.content(), now.content(), cancelled)));
    }

    // ---- saving

    @Override
    public SaveOutcome save(Stack stack, LeaseId leaseId, byte[] bytes, Provenance by) {
        return save(
                new Saves.SaveRequest(stack, leaseId, Optional.empty(), incoming(stack, bytes), by), Optional.empty());
    }

    @Override
    public SaveOutcome save(Stack stack, Hold hold, byte[] bytes, Provenance by) {
        return save(
                new Saves.SaveRequest(stack, hold.leaseId(), Optional.empty(), incoming(stack, bytes), by),
                SaveRight.certain(hold));
    }

    @Override
    public SaveOutcome saveOver(Stack stack, LeaseId leaseId, Optional<String> loaded, byte[] bytes, Provenance by) {
        Optional<Saves.Base> base = Optional.of(new Saves.Base(loaded));
        return save(new Saves.SaveRequest(stack, leaseId, base, incoming(stack, bytes), by), Optional.empty());
    }

    private SaveOutcome save(Saves.SaveRequest wish, Optional<Token> seen) {
        SaveOutcome outcome = saves.save(wish, seen);
        tell(
                wish.stack(),
                Optional.of(wish.leaseId()),
                wish.by(),
                wish.document().content().bytes().length,
                outcome);
        return outcome;
    }

    @Override
    public SaveOutcome saveUnlocked(Stack stack, byte[] bytes, Provenance by) {
        DocumentToSave incoming = incoming(stack, bytes);
        SaveOutcome outcome = ownLock.run(
                stack,
                by,
                "saves state without a lock of its own",
                lease -> saves.save(new Saves.SaveRequest(stack, lease.leaseId(), Optional.empty(), incoming, by)),
                refused -> refused);
        tell(stack, Optional.empty(), by, bytes.length, outcome);
        return outcome;
    }

    private DocumentToSave incoming(Stack stack, byte[] bytes) {
        return DocumentToSave.checked(stack, bytes, Math.min(config.maxSize(), documents.maxSize()));
    }

    private void tell(Stack stack, Optional<LeaseId> lease, Provenance by, long size, SaveOutcome outcome) {
        if (outcome instanceof StateRefusal refused) {
            events.refused(stack, lease, by, size, refused);
        } else if (outcome instanceof SaveOutcome.Saved saved) {
            events.saved(saved.version(), lease);
            retention.prune(stack, saved.version());
        }
    }

    // ---- keeping and going back

    @Override
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

    @Override
    public RestoreOutcome restore(Stack stack, String version, Provenance by) {
        return restore(stack, Optional.empty(), version, by);
    }

    @Override
    public RestoreOutcome restoreOver(Stack stack, Optional<String> seen, String version, Provenance by) {
        return restore(stack, Optional.of(new Saves.Base(seen)), version, by);
    }

    private RestoreOutcome restore(Stack stack, Optional<Saves.Base> over, String version, Provenance by) {
        Optional<LoadedState> from = reading.version(stack, version);
        if (from.isEmpty()) {
            return new RestoreOutcome.NoSuchVersion(version);
        }
        RestoreOutcome outcome = restores.restore(stack, over, from.get(), by);
        if (outcome instanceof RestoreOutcome.Restored restored) {
            events.restored(restored.version(), restored.from(), Optional.empty());
        } else if (outcome instanceof StateRefusal refused) {
            events.refused(stack, Optional.empty(), by, from.get().content().length, refused);
        }
        return outcome;
    }

    @Override
    public RestoreOutcome restore(Stack stack, PointInTime time, Provenance by) {
        return reading.before(stack, time.until())
                .map(version -> restore(stack, version, by))
                .orElseGet(() -> new RestoreOutcome.NoSuchVersion(time.toString()));
    }

    @Override
    public Verification verify(Stack stack, BooleanSupplier cancelled) {
        commits.preserve(stack, commits.look(stack));
        return new Verifier(documents, reading, stack, new CancellableWork("The check", cancelled)).verify();
    }

    @Override
    public DeleteOutcome delete(Stack stack, Provenance by) {
        return told(stack, Optional.empty(), by, deletions.unlocked(stack, by));
    }

    @Override
    public DeleteOutcome delete(Stack stack, LeaseId leaseId, Provenance by) {
        return told(stack, Optional.of(leaseId), by, deletions.under(stack, leaseId));
    }

    private DeleteOutcome told(Stack stack, Optional<LeaseId> lease, Provenance by, DeleteOutcome outcome) {
        if (outcome instanceof StateRefusal refused) {
            events.refused(stack, lease, by, 0, refused);
        }
        return outcome;
    }

    // ---- all stacks

    @Override
    public StackPage list(int limit, Optional<String> cursor) {
        checkLimit(limit);
        return new StackListing(locks, documents).list(limit, cursor);
    }

    // ---- visible locks, where switched on

    @Override
    public void showLock(Stack stack) {
        visible.settle(stack);
    }

    @Override
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

    /** Refuses a page that is larger than any may be. */
    static void checkLimit(int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new IllegalArgumentException("limit '" + limit + "' must be between 1 and " + MAX_PAGE);
        }
    }
}
