package dev.holdfast.cli.admin;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.List;
import java.util.Optional;

/** Documents whose writes begin to fail after so many, before or after they were made; and that take only small ones. */
class UnsteadyDocuments implements DocumentStore {
    private final DocumentStore place;
    private final long maxSize;
    private int good = Integer.MAX_VALUE;
    private boolean made;

    UnsteadyDocuments(DocumentStore place, long maxSize) {
        this.place = place;
        this.maxSize = maxSize;
    }

    /** After so many more writes the next fails; {@code withIt}: although it was made. */
    void failAfter(int writes, boolean withIt) {
        good = writes;
        made = withIt;
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        if (good-- > 0) {
            return place.write(changes);
        }
        if (made) {
            place.write(changes);
            throw new OutcomeUnknownException("The answer got lost", null);
        }
        throw new StoreUnavailableException("The line is cut", null);
    }

    @Override
    public String kind() {
        return place.kind();
    }

    @Override
    public long maxSize() {
        return maxSize;
    }

    @Override
    public boolean isAtomic() {
        return place.isAtomic();
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        return place.look(name);
    }

    @Override
    public Optional<Document> get(String name) {
        return place.get(name);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return place.list(request);
    }

    @Override
    public void close() {
        place.close();
    }
}
