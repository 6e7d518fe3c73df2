package dev.holdfast.state;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that show people who holds a stack's lock, beside the state and in one folder for all. They decide nothing.
 *
 * <p>They are never written from what somebody believes, only from what the lock says: {@link #settle} reads the lock, brings the
 * files to that, and looks again. Of two who do this at once, the one that comes last sees what the other missed. So it does not
 * matter who calls it, when, or how often; whoever changes a lock calls it after, and {@link #settleAll} finds what a killed process
 * left behind.
 */
record VisibleLocks(LockClient locks, DocumentStore documents, boolean shown) {
    private static final Logger LOG = LoggerFactory.getLogger(StateManager.class);

    /** The tokens of the holders a file shows: tells without reading it whether it is still right. */
    private static final String TOKENS = "tokens";
    /** Each further round is another change of the same lock meanwhile. */
    private static final int MAX_ROUNDS = 5;
    /** Holders that are listed by name where several hold parts. */
    private static final int MAX_SHOWN = 20;

    private static final int PAGE = 200;
    /** Pages of files that are looked at in one go. */
    private static final int MAX_PAGES = 50;

    /** Brings the files of this stack to what its lock says; never fails. */
    void settle(Stack stack) {
        if (!shown) {
            return;
        }
        try {
            List<Holder> holders = holders(stack);
            for (int round = 0; round < MAX_ROUNDS; round++) {
                bring(stack, holders);
                List<Holder> now = holders(stack);
                if (tokens(now).equals(tokens(holders))) {
                    return;
                }
                holders = now;
            }
        } catch (StoreException e) {
            LOG.warn("The visible lock of stack {} could not be changed: {}", stack, e.getMessage());
        }
    }

    /** The same for every stack that has such a file, and for those left behind; never fails. */
    void settleAll() {
        if (!shown) {
            return;
        }
        Optional<String> after = Optional.empty();
        try {
            for (int page = 0; page < MAX_PAGES; page++) {
                DocumentPage found =
                        documents.list(ListRequest.of(StateNames.LOCKS, PAGE).after(after));
                for (DocumentHead head : found.heads()) {
                    stackOf(head).ifPresent(this::settle);
                }
                after = found.next();
                if (after.isEmpty()) {
                    return;
                }
            }
        } catch (StoreException e) {
            LOG.warn("The visible locks could not be read: {}", e.getMessage());
        }
    }

    /** Stack {@code a-b} in {@code c} and stack {@code a} in {@code b-c} share a file: what it says counts, not its name. */
    private static Optional<Stack> stackOf(DocumentHead head) {
        String name = head.attributes().getOrDefault("stack", "");
        String environment = head.attributes().getOrDefault("environment", "");
        try {
            return Optional.of(new Stack(name, environment));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // none of ours
        }
    }

    private List<Holder> holders(Stack stack) {
        return locks.inspect().get(stack.lock()).holders();
    }

    private static String tokens(List<Holder> holders) {
        return holders.stream()
                .map(it -> it.token().toString())
                .sorted()
                .limit(MAX_SHOWN)
                .collect(Collectors.joining(","));
    }

    private void bring(Stack stack, List<Holder> holders) {
        for (String file : List.of(StateNames.lockFile(stack), StateNames.lockListing(stack))) {
            try {
                change(file, stack, holders).ifPresent(documents::write);
            } catch (StoreException e) { // one file that cannot be written must not keep the other from it
                LOG.warn("The visible lock {} could not be changed: {}", file, e.getMessage());
            }
        }
    }

    private Optional<Change> change(String file, Stack stack, List<Holder> holders) {
        Optional<DocumentHead> there = documents.look(file);
        boolean ours = there.flatMap(VisibleLocks::stackOf).map(stack::equals).orElse(false);
        if (holders.isEmpty()) {
            return there.filter(it -> ours).map(it -> Change.delete(file, Condition.tagged(it.tag())));
        }
        if (ours && tokens(holders).equals(there.orElseThrow().attributes().get(TOKENS))) {
            return Optional.empty();
        }
        // A file that another deployer left there is replaced only by who has seen it.
        Condition condition = there.filter(it -> stackOf(it).isEmpty())
                .map(it -> Condition.tagged(it.tag()))
                .orElseGet(Condition::none);
        Map<String, String> attributes =
                Map.of("stack", stack.name(), "environment", stack.environment(), TOKENS, tokens(holders));
        return Optional.of(Change.put(file, condition, content(stack, holders), attributes));
    }

    private static byte[] content(Stack stack, List<Holder> holders) {
        ObjectBuilder lock =
                of(stack, holders.get(0)).with("stack", stack.name()).with("environment", stack.environment());
        if (holders.size() > 1) {
            List<Holder> shown = holders.subList(0, Math.min(MAX_SHOWN, holders.size()));
            lock.with("holders", Json.array(shown, it -> of(stack, it).build()));
        }
        return lock.build().bytes();
    }

    private static ObjectBuilder of(Stack stack, Holder holder) {
        ObjectBuilder metadata = Json.build();
        new TreeMap<>(holder.metadata()).forEach(metadata::with);
        return Json.build()
                .with(
                        "lock_key",
                        DeployLocks.named(stack, holder.paths().get(0)).toString())
                .with("locked_by", holder.owner())
                .with("locked_at", holder.grantedAt().toString())
                .with("reason", holder.reason())
                .with("fencing_token", holder.token().value())
                .with("metadata", metadata.build());
    }
}
