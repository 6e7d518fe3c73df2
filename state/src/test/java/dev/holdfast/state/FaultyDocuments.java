package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Documents whose answers get lost, and between whose calls others act. */
final class FaultyDocuments implements DocumentStore {
    private final DocumentStore below;
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Deque<Runnable> beforeWrites = new ArrayDeque<>();
    private final Deque<Runnable> beforeLooks = new ArrayDeque<>();
    private final List<List<Change>> late = new ArrayList<>();
    private boolean looksFail;

    FaultyDocuments(DocumentStore below) {
        this.below = below;
    }

    /** What becomes of a write. */
    enum Fault {
        /** It is made, but its sender does not learn so. */
        LOST_ANSWER,
        /** It is not made, and its sender does not know. */
        LOST_REQUEST,
        /** It is made when {@link #arrive} is called, and its sender does not know. */
        LATE,
        /** It is not made, and its sender knows. */
        DOWN,
        /** Nothing special. */
        NONE
    }

    /** What becomes of the next writes, in order. */
    void next(Fault... coming) {
        faults.addAll(List.of(coming));
    }

    /** Makes the writes that were late. */
    void arrive() {
        late.forEach(below::write);
        late.clear();
    }

    /** Nothing special from now on. */
    void calm() {
        faults.clear();
    }

    /** Runs this before the next write, as if the writer was paused there. */
    void beforeWrite(Runnable action) {
        beforeWrites.add(action);
    }

    /** Runs this before the next look. */
    void beforeLook(Runnable action) {
        beforeLooks.add(action);
    }

    void looksFail(boolean fail) {
        looksFail = fail;
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        Runnable action = beforeWrites.poll();
        if (action != null) {
            action.run();
        }
        Fault fault = faults.isEmpty() ? Fault.NONE : faults.remove();
        if (fault == Fault.DOWN) {
            throw new StoreUnavailableException("documents are down", null);
        }
        if (fault == Fault.LATE) {
            late.add(changes);
        } else if (fault != Fault.LOST_REQUEST) {
            WriteOutcome outcome = below.write(changes);
            if (fault == Fault.NONE) {
                return outcome;
            }
        }
        throw new OutcomeUnknownException("the line went dead", null);
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        Runnable action = beforeLooks.poll();
        if (action != null) {
            action.run();
        }
        if (looksFail) {
            throw new StoreUnavailableException("documents are down", null);
        }
        return below.look(name);
    }

    @Override
    public Optional<Document> get(String name) {
        return below.get(name);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return below.list(request);
    }

    @Override
    public String kind() {
        return below.kind();
    }

    @Override
    public long maxSize() {
        return below.maxSize();
    }

    @Override
    public boolean isAtomic() {
        return below.isAtomic();
    }

    @Override
    public void close() {
        below.close();
    }
}
