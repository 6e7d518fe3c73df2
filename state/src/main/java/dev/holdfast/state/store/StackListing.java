package dev.holdfast.state.store;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists stacks with who holds them: one listing of documents, and one of the locks in use. */
public record StackListing(LockClient locks, DocumentStore documents) {
    /** Pages of locks in use; those beyond are asked for one by one. */
    private static final int MAX_LOCK_PAGES = 20;

    public StackPage list(int limit, Optional<String> cursor) {
        Optional<String> after = cursor.map(it -> DocumentNames.checked(StateNames.ROOT + it));
        DocumentPage page = documents.list(ListRequest.of(StateNames.ROOT, limit)
                .ending(StateNames.CURRENT)
                .after(after));
        HeldStacks held = page.heads().isEmpty() ? new HeldStacks(Map.of(), true) : held();
        List<StackPage.Item> items = page.heads().stream()
                .flatMap(head -> StateNames.stackOf(head.name()).map(stack -> item(stack, head, held)).stream())
                .filter(item -> item.current().isPresent() || item.isLocked())
                .toList();
        return new StackPage(items, page.next().map(last -> last.substring(StateNames.ROOT.length())));
    }

    private StackPage.Item item(Stack stack, DocumentHead head, HeldStacks held) {
        List<Holder> holders = held.all()
                ? held.byStack().getOrDefault(stack, List.of())
                : locks.inspect().get(stack.lock()).holders();
        Optional<StateVersion> version = Attributes.version(stack, head);
        if (version.isEmpty() && head.size() > 0) {
            version = Optional.of(UnversionedDocument.unread(stack, head));
        }
        return new StackPage.Item(stack, version, holders);
    }

    private record HeldStacks(Map<Stack, List<Holder>> byStack, boolean all) {}

    private HeldStacks held() {
        Map<Stack, List<Holder>> byStack = new HashMap<>();
        ScanRequest request =
                ScanRequest.all().in(Stack.NAMESPACE).startingWith("stack:").busy();
        for (int i = 0; i < MAX_LOCK_PAGES; i++) {
            Inspector.Locks page = locks.inspect().list(request);
            page.locks().forEach(lock -> Stack.of(lock.key()).ifPresent(it -> byStack.put(it, lock.holders())));
            if (page.next().isEmpty()) {
                return new HeldStacks(byStack, true);
            }
            request = request.from(page.next());
        }
        return new HeldStacks(byStack, false);
    }
}
