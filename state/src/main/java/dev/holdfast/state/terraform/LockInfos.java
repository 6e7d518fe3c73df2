package dev.holdfast.state.terraform;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Waiter;
import dev.holdfast.state.versions.Stack;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** What holders said about their locks, given back to others as it came. */
record LockInfos(DocumentStore documents) {
    private static final String TOKEN = "token";

    /** Keeps what the lock itself has no room for; before its holder is told. */
    void keep(Stack stack, Hold hold, TerraformLockInfo info) {
        if (TerraformLockInfo.isBeside(hold.terms())) {
            Map<String, String> whose = Map.of(TOKEN, Long.toString(hold.token().value()));
            documents.write(Change.put(beside(stack), Condition.none(), info.raw(), whose));
        }
    }

    /**
     * The TerraformLockInfo of the first of those in the way.
     *
     * @param cameByLock tells of an ID whether it came here by {@code LOCK}: then it is no secret
     */
    byte[] inTheWay(Stack stack, List<Hold> holds, LockRecord record, Predicate<String> cameByLock) {
        return holds.stream()
                .findFirst()
                .map(hold -> of(stack, hold, cameByLock))
                .orElseGet(() -> promised(stack, record.queue(), cameByLock));
    }

    private byte[] of(Stack stack, Hold hold, Predicate<String> cameByLock) {
        return TerraformLockInfo.kept(hold.terms().metadata())
                .or(() -> TerraformLockInfo.isBeside(hold) ? document(stack, hold) : Optional.empty())
                .orElseGet(() -> hold.phase() == Hold.Phase.OFFERED
                        ? TerraformLockInfo.promised(stack, offered(hold, cameByLock), hold.ticket())
                        : TerraformLockInfo.told(stack, hold));
    }

    private static String offered(Hold hold, Predicate<String> cameByLock) {
        String id = LockIds.of(hold.leaseId());
        return cameByLock.test(id) ? id : TerraformLockInfo.unnamed(hold.token().value());
    }

    private Optional<byte[]> document(Stack stack, Hold hold) {
        String token = Long.toString(hold.token().value());
        return documents
                .get(beside(stack))
                .filter(it -> token.equals(it.head().attributes().get(TOKEN)))
                .map(Document::content);
    }

    private static byte[] promised(Stack stack, List<Waiter> queue, Predicate<String> cameByLock) {
        Optional<Waiter> first = queue.stream().findFirst();
        String id = first.map(waiter -> LockIds.of(waiter.leaseId()))
                .filter(cameByLock)
                .orElse("reserved");
        return TerraformLockInfo.promised(stack, id, first);
    }

    private static String beside(Stack stack) {
        return "stacks/" + stack.name() + "/" + stack.environment() + "/lock-info.json";
    }
}
