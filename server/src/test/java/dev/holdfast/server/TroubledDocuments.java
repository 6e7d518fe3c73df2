package dev.holdfast.server;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Documents in memory that can be out of reach, or damaged: {@code troubled:name}. */
public final class TroubledDocuments implements DocumentStore {
    private static final Map<String, TroubledDocuments> ALL = new ConcurrentHashMap<>();

    private final MemoryDocuments memory = new MemoryDocuments();
    volatile boolean unreachable;
    volatile boolean damaged;
    volatile Duration slow = Duration.ZERO;

    /** Those with this name, the same for the server and the test. */
    static TroubledDocuments named(String name) {
        return ALL.computeIfAbsent(name, none -> new TroubledDocuments());
    }

    /** Finds them by their URL. */
    public static final class Factory implements DocumentFactory {
        @Override
        public boolean accepts(String url) {
            return url.startsWith("troubled:");
        }

        @Override
        public String example() {
            return "troubled:name";
        }

        @Override
        public DocumentStore open(String url) {
            return named(url.substring("troubled:".length()));
        }
    }

    private void reach() {
        if (!slow.isZero()) {
            LockSupport.parkNanos(slow.toNanos());
        }
        if (unreachable) {
            throw new StoreUnavailableException("The documents cannot be reached", null);
        }
    }

    @Override
    public String kind() {
        return "troubled";
    }

    @Override
    public long maxSize() {
        return memory.maxSize();
    }

    @Override
    public boolean isAtomic() {
        return true;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        reach();
        return memory.look(name);
    }

    @Override
    public Optional<Document> get(String name) {
        reach();
        return memory.get(name).map(it -> damaged && name.endsWith("/state.json") ? broken(it) : it);
    }

    private static Document broken(Document document) {
        byte[] content = document.content().clone();
        content[content.length / 2] ^= 1;
        return new Document(document.head(), content);
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        reach();
        return memory.write(changes);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        reach();
        return memory.list(request);
    }

    @Override
    public void close() {}
}
