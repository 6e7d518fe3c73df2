package dev.holdfast.cli.state.access;

import dev.holdfast.Lease;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.ClaimOutcome;
import dev.holdfast.state.HistoryPage;
import dev.holdfast.state.Provenance;
import dev.holdfast.state.RestoreOutcome;
import dev.holdfast.state.SaveOutcome;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateVersion;
import dev.holdfast.state.Verification;
import java.util.List;
import java.util.Optional;

/**
 * The state of stacks, in a store or behind a server: the same answers from both. Who holds the locks is asked of the locks
 * themselves.
 */
public interface States extends AutoCloseable {
    /**
     * One stack.
     *
     * @param stack which
     * @param current its current version, with what a listing knows of it; empty if there is none yet
     */
    record Item(Stack stack, Optional<StateVersion> current) {}

    /**
     * Some stacks.
     *
     * @param items by name
     * @param next where the next page starts
     */
    record Page(List<Item> items, Optional<String> next) {}

    Page list(int limit, Optional<String> cursor);

    /** What is known of the current version. */
    Optional<StateVersion> current(Stack stack);

    /** The current version. */
    Optional<Loaded> loaded(Stack stack);

    /** The bytes of the current version. */
    default Optional<byte[]> load(Stack stack) {
        return loaded(stack).map(Loaded::bytes);
    }

    /** The bytes of another. */
    Optional<byte[]> load(Stack stack, String version);

    HistoryPage history(Stack stack, int limit, Optional<String> cursor);

    /**
     * A state that was read.
     *
     * @param version its name
     * @param bytes as they were saved
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Loaded(String version, byte[] bytes) {}

    /** Makes a fresh lease on the stack or a part of it, taken in this name, one that can save; earlier ones cannot any more. */
    ClaimOutcome claim(Stack stack, Lease lease, String owner);

    /** Saves under a lease on the whole stack that has claimed. */
    SaveOutcome save(Stack stack, LeaseId lease, byte[] bytes, Provenance by);

    /** Saves a change of this version, or of no state at all; refused if another is current. */
    SaveOutcome saveOver(Stack stack, LeaseId lease, Optional<String> loaded, byte[] bytes, Provenance by);

    /** Brings the files that show who holds the stack up to date, where they are kept. */
    void showLock(Stack stack);

    /** Keeps the current version; empty if there is none. */
    Optional<StateVersion> backup(Stack stack);

    RestoreOutcome restore(Stack stack, String version, Provenance by);

    Verification verify(Stack stack);

    @Override
    void close();
}
