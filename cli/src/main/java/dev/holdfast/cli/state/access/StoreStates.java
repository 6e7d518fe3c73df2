package dev.holdfast.cli.state.access;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.ClaimOutcome;
import dev.holdfast.state.HistoryPage;
import dev.holdfast.state.LoadedState;
import dev.holdfast.state.Provenance;
import dev.holdfast.state.RestoreOutcome;
import dev.holdfast.state.SaveOutcome;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StackPage;
import dev.holdfast.state.StateConfig;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.StateVersion;
import dev.holdfast.state.Verification;
import java.util.Optional;

/** State in documents this process has opened. Closes them, not the locks. */
final class StoreStates implements States {
    private final DocumentStore documents;
    private final StateManager state;

    StoreStates(LockClient locks, DocumentStore documents, StateConfig config) {
        this.documents = documents;
        this.state = StateManager.on(locks, documents, config);
    }

    @Override
    public Page list(int limit, Optional<String> cursor) {
        StackPage page = state.list(limit, cursor);
        return new Page(
                page.stacks().stream()
                        .map(it -> new Item(it.stack(), it.current()))
                        .toList(),
                page.next());
    }

    @Override
    public Optional<StateVersion> current(Stack stack) {
        // A document that others put there tells nothing about itself unless it is read.
        return state.current(stack).or(() -> state.load(stack).map(LoadedState::version));
    }

    @Override
    public Optional<Loaded> loaded(Stack stack) {
        return state.load(stack).map(it -> new Loaded(it.version().version(), it.content()));
    }

    @Override
    public Optional<byte[]> load(Stack stack, String version) {
        return state.version(stack, version).map(LoadedState::content);
    }

    @Override
    public HistoryPage history(Stack stack, int limit, Optional<String> cursor) {
        return state.history(stack, limit, cursor);
    }

    @Override
    public ClaimOutcome claim(Stack stack, Lease lease, String owner) {
        return state.claim(lease);
    }

    @Override
    public SaveOutcome save(Stack stack, LeaseId lease, byte[] bytes, Provenance by) {
        return state.save(stack, lease, bytes, by);
    }

    @Override
    public SaveOutcome saveOver(Stack stack, LeaseId lease, Optional<String> loaded, byte[] bytes, Provenance by) {
        return state.saveOver(stack, lease, loaded, bytes, by);
    }

    @Override
    public void showLock(Stack stack) {
        state.showLock(stack);
    }

    @Override
    public Optional<StateVersion> backup(Stack stack) {
        return state.backup(stack);
    }

    @Override
    public RestoreOutcome restore(Stack stack, String version, Provenance by) {
        return state.restore(stack, version, by);
    }

    @Override
    public Verification verify(Stack stack) {
        return state.verify(stack);
    }

    @Override
    public void close() {
        try {
            state.close();
        } finally {
            documents.close();
        }
    }
}
