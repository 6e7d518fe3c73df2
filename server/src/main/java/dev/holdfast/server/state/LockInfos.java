package dev.holdfast.server.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Waiter;
import dev.holdfast.state.Stack;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What holders said about their locks, given back to others as it came. */
final class LockInfos {
    private static final String TOKEN = "token";

    private final DocumentStore documents;

    LockInfos(DocumentStore documents) {
        this.documents = documents;
    }

    /** Keeps what the lock itself has no room for; before its holder is told. */
    void keep(Stack stack, Hold hold, LockInfo info) {
        if (LockInfo.isBeside(hold.terms())) {
            Map<String, String> whose = Map.of(TOKEN, Long.toString(hold.token().value()));
            documents.write(Change.put(beside(stack), Condition.none(), info.raw(), whose));
        }
    }

    /** The LockInfo of the first of those in the way. */
    byte[] inTheWay(Stack stack, List<Hold> holds, LockRecord record) {
        return holds.stream().findFirst().map(hold -> of(stack, hold)).orElseGet(() -> promised(stack, record.queue()));
    }

    private byte[] of(Stack stack, Hold hold) {
        return LockInfo.kept(hold.terms().metadata())
                .or(() -> LockInfo.isBeside(hold) ? document(stack, hold) : Optional.empty())
                .orElseGet(() -> LockInfo.told(stack, hold));
    }

    private Optional<byte[]> document(Stack stack, Hold hold) {
        String token = Long.toString(hold.token().value());
        return documents
                .get(beside(stack))
                .filter(it -> token.equals(it.head().attributes().get(TOKEN)))
                .map(Document::content);
    }

    private static byte[] promised(Stack stack, List<Waiter> queue) {
        return LockInfo.promised(stack, queue.stream().findFirst());
    }

    private static String beside(Stack stack) {
        return "stacks/" + stack.name() + "/" + stack.environment() + "/lock-info.json";
    }
}
