package dev.holdfast.server.observe.load;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Documents of another store, as it has them, which is closed with it; what takes long is told to {@link SlowOperations}. */
public record WatchedDocuments(DocumentStore inner, SlowOperations slow) implements DocumentStore {
    private <T> T timed(String operation, String name, Supplier<T> call) {
        long start = System.nanoTime();
        boolean done = false;
        try {
            T answer = call.get();
            done = true;
            return answer;
        } finally {
            slow.document(operation, name, Duration.ofNanos(System.nanoTime() - start), !done);
        }
    }

    @Override
    public String kind() {
        return inner.kind();
    }

    @Override
    public long maxSize() {
        return inner.maxSize();
    }

    @Override
    public boolean isAtomic() {
        return inner.isAtomic();
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        return timed("document-look", name, () -> inner.look(name));
    }

    @Override
    public Optional<Document> get(String name) {
        return timed("document-read", name, () -> inner.get(name));
    }

    /** Told by the first of the documents that are written. */
    @Override
    public WriteOutcome write(List<Change> changes) {
        String first = changes.isEmpty() ? "" : changes.get(0).name();
        return timed("document-write", first, () -> inner.write(changes));
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return timed("document-list", request.prefix(), () -> inner.list(request));
    }

    @Override
    public NamePage names(ListRequest request) {
        return timed("document-list", request.prefix(), () -> inner.names(request));
    }

    @Override
    public void close() {
        inner.close();
    }
}
