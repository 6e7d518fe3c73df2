package dev.holdfast.state.store;

import dev.holdfast.LockClient;
import dev.holdfast.documents.Content;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.VersionNames;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Removes the current state. What stays is an empty document with the claim and the highest serial: the fence must outlive it. */
public record Deletions(LockClient locks, OwnLock ownLock, Commits commits, VersionNames names) {
    private static final int MAX_ROUNDS = 20;

    public DeleteOutcome unlocked(Stack stack, Provenance by) {
        return ownLock.run(stack, by, "deletes state", lease -> under(stack, lease.leaseId()), refused -> refused);
    }

    public DeleteOutcome under(Stack stack, LeaseId leaseId) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Optional<DocumentHead> head = commits.look(stack);
            SaveRight standing = SaveRight.of(locks, stack, leaseId, head);
            if (standing instanceof SaveRight.Not not) {
                return not.why();
            }
            if (!((SaveRight.Held) standing).whole()) {
                return Refusals.onlyPart(stack);
            }
            if (head.isEmpty() || head.get().size() == 0) {
                return new DeleteOutcome.Deleted(false);
            }
            if (commits.commit(emptied(stack, head.get()), head)) {
                return new DeleteOutcome.Deleted(true);
            }
        }
        throw Saves.crowded(stack);
    }

    private PendingSave emptied(Stack stack, DocumentHead head) {
        Map<String, String> attributes = new TreeMap<>(head.attributes());
        String writeId = names.writeId();
        // The version's name stays, so that the next one is named after it.
        attributes
                .keySet()
                .retainAll(java.util.Set.of(
                        Attributes.TOKEN, Attributes.LEASE, Attributes.TOP_SERIAL, Attributes.VERSION));
        attributes.put(Attributes.WRITE_ID, writeId);
        return new PendingSave(stack, Optional.empty(), writeId, Content.of(new byte[0]), attributes);
    }
}
