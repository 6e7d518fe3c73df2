package dev.holdfast.state.store;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Content;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A write of the current document that was decided and is to be made.
 *
 * @param stack of which stack
 * @param version the version it makes; empty when it only removes the state
 * @param writeId names this write for ever: how a lost answer is settled
 * @param content the bytes
 * @param attributes of the current document
 */
record PendingSave(
        Stack stack, Optional<StateVersion> version, String writeId, Content content, Map<String, String> attributes) {

    /** The changes that make it, on the condition that the current document is still this one. */
    List<Change> changes(Optional<DocumentHead> at) {
        Condition unchanged = at.map(head -> Condition.tagged(head.tag())).orElseGet(Condition::absent);
        List<Change> changes = new ArrayList<>();
        // First the condition that decides: a refused save must leave nothing in the history.
        changes.add(Change.put(StateNames.current(stack), unchanged, content, attributes));
        version.ifPresent(made -> changes.add(Change.put(
                StateNames.history(stack, made.version()),
                Condition.absent(),
                content,
                Attributes.ofVersion(attributes))));
        return changes;
    }

    /** Whether this document was written by it. A later claim keeps the sign. */
    boolean made(Optional<DocumentHead> document) {
        return document.map(head -> writeId.equals(head.attributes().get(Attributes.WRITE_ID)))
                .orElse(false);
    }
}
