package dev.holdfast.state.store;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Saving: look at the document, then at the lock, then write if the document is still the same. */
public record Saves(LockClient locks, Commits commits, VersionNames names, StateConfig config) {
    /** How often others may change the document meanwhile: holders of other parts, and claims. */
    private static final int MAX_ROUNDS = 20;

    /** What is to be saved, and what it was made from, where that is checked. */
    public record SaveRequest(
            Stack stack, LeaseId leaseId, Optional<Base> base, DocumentToSave document, Provenance by) {}

    /** The version a change was made from; empty if there was no state. */
    public record Base(Optional<String> version) {}

    public SaveOutcome save(SaveRequest wish) {
        return save(wish, Optional.empty());
    }

    /** The same for a lease that held the whole stack by the token {@code seen} when its lock was read just before. */
    public SaveOutcome save(SaveRequest wish, Optional<Token> seen) {
        String lease = Attributes.lease(wish.leaseId());
        String writeId = names.writeId();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Optional<DocumentHead> head = commits.look(wish.stack());
            SaveRight standing =
                    SaveRight.of(locks, wish.stack(), wish.leaseId(), head, round == 0 ? seen : Optional.empty());
            if (standing instanceof SaveRight.Not not) {
                return not.why();
            }
            SaveRight.Held held = (SaveRight.Held) standing;
            Optional<StateVersion> current = head.flatMap(it -> Attributes.version(wish.stack(), it));
            if (isRepeat(head, current, lease, wish.document().content().sha256())) {
                return new SaveOutcome.Repeated(current.orElseThrow());
            }
            Optional<StateRefusal> conflict = conflict(wish, held, head, current);
            if (conflict.isPresent()) {
                return conflict.get();
            }
            PendingSave draft = draft(wish, held.token(), head, writeId, lease);
            if (commits.commit(draft, head)) {
                return new SaveOutcome.Saved(draft.version().orElseThrow());
            }
        }
        throw crowded(wish.stack());
    }

    static StoreUnavailableException crowded(Stack stack) {
        return new StoreUnavailableException(
                "The state of stack '" + stack + "' could not be saved: others changed it " + MAX_ROUNDS
                        + " times meanwhile. Try again",
                null);
    }

    /** The last version was made by the same lease of the same bytes. */
    private static boolean isRepeat(
            Optional<DocumentHead> head, Optional<StateVersion> current, String lease, String sha256) {
        return current.map(it -> it.sha256().equals(sha256)).orElse(false)
                && head.map(it -> lease.equals(it.attributes().get(Attributes.SAVED_LEASE)))
                        .orElse(false);
    }

    private static Optional<StateRefusal> conflict(
            SaveRequest wish, SaveRight.Held held, Optional<DocumentHead> head, Optional<StateVersion> current) {
        if (wish.base().isEmpty()) {
            if (held.whole()) {
                return Optional.empty(); // nobody else can have changed it
            }
            throw new IllegalArgumentException("A lease on a part of stack '" + wish.stack()
                    + "' must say which version its change was made from: others may save other parts meanwhile");
        }
        Optional<String> loaded = wish.base().get().version();
        boolean foreign = current.isEmpty() && head.map(it -> it.size() > 0).orElse(false);
        Optional<String> now = foreign ? Optional.of(UnversionedDocument.NAME) : current.map(StateVersion::version);
        return loaded.equals(now) ? Optional.empty() : Optional.of(Refusals.conflict(wish.stack(), loaded, now));
    }

    private PendingSave draft(
            SaveRequest wish, Token token, Optional<DocumentHead> head, String writeId, String lease) {
        Map<String, String> before = head.map(DocumentHead::attributes).orElse(Map.of());
        Instant at = VersionNames.after(config.clock().instant(), Optional.ofNullable(before.get(Attributes.VERSION)));
        long top = commits.topSerial(wish.stack(), head);
        long serial = wish.document().scan().serial().orElse(top + 1);
        StateVersion version = new StateVersion(
                wish.stack(),
                names.at(at),
                serial,
                wish.document().scan().lineage(),
                at,
                wish.by().by(),
                wish.document().content().bytes().length,
                wish.document().content().sha256(),
                wish.by().operation(),
                wish.by().lockId(),
                token);
        Map<String, String> attributes = new TreeMap<>(Attributes.of(version, writeId, lease));
        attributes.put(Attributes.TOP_SERIAL, Long.toString(Math.max(top, serial)));
        // The claim stays as it was; a part that was not claimed is by its save.
        Map<String, String> claim = Claims.stamped(before, token, lease);
        attributes.put(Attributes.TOKEN, claim.getOrDefault(Attributes.TOKEN, token.toString()));
        attributes.put(Attributes.LEASE, claim.getOrDefault(Attributes.LEASE, lease));
        return new PendingSave(
                wish.stack(), Optional.of(version), writeId, wish.document().content(), attributes);
    }
}
