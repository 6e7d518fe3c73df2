package dev.holdfast.server.state;

import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.server.http.Problem;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.Stack;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How many stacks there may be: somebody who makes up names must not fill the store. Stacks are counted only when one is saved for the
 * first time, and at most every {@link #COUNT_EVERY}; with several servers there may be a few more than allowed. Calls block. Safe for
 * any thread.
 */
final class StackQuota {
    private static final Duration COUNT_EVERY = Duration.ofSeconds(10);

    private final DocumentStore documents;
    private final int most;
    private final LongSupplier nanos;
    private Set<String> known = new HashSet<>(); // guarded by this, as the rest
    private Optional<Long> countedAt = Optional.empty();

    StackQuota(DocumentStore documents, int most, LongSupplier nanos) {
        this.documents = documents;
        this.most = most;
        this.nanos = nanos;
    }

    /** Refuses to save a stack that would be one too many. */
    void check(Stack stack) {
        String name = StateNames.current(stack);
        if (isKnown(name)) {
            return;
        }
        boolean there = documents.look(name).filter(StackQuota::isState).isPresent();
        if (!there && count() >= most) {
            throw Problem.refusal(
                    409,
                    "too-many-stacks",
                    "There are " + most
                            + " stacks already (state.max-stacks), and this would be a new one. Nothing was"
                            + " saved. Delete those that nobody needs, or ask whoever runs this server for more");
        }
    }

    synchronized void saved(Stack stack) {
        if (known.size() < most) {
            known.add(StateNames.current(stack));
        }
    }

    synchronized void deleted(Stack stack) {
        known.remove(StateNames.current(stack));
    }

    private synchronized boolean isKnown(String name) {
        return known.contains(name);
    }

    private int count() {
        synchronized (this) {
            boolean fresh = countedAt
                    .filter(at -> nanos.getAsLong() - at < COUNT_EVERY.toNanos())
                    .isPresent();
            if (fresh) {
                return known.size();
            }
            countedAt = Optional.of(nanos.getAsLong()); // the others go by the last count meanwhile
        }
        Set<String> found = listed();
        synchronized (this) {
            known = found;
            return known.size();
        }
    }

    private Set<String> listed() {
        Set<String> found = new HashSet<>();
        Optional<String> after = Optional.empty();
        do {
            DocumentPage page = documents.list(ListRequest.of(StateNames.ROOT, ListRequest.MAX_LIMIT)
                    .ending(StateNames.CURRENT)
                    .after(after));
            page.heads().stream().filter(StackQuota::isState).forEach(head -> found.add(head.name()));
            after = page.next();
        } while (after.isPresent() && found.size() < most);
        return found;
    }

    /** A lock that was never saved under, and a state that was deleted, leave a document without content. */
    private static boolean isState(DocumentHead head) {
        return head.size() > 0;
    }
}
