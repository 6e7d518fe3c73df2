package dev.holdfast.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Documents of this process, gone with it: for tests, and for the memory store. */
public final class MemoryDocuments implements DocumentStore {
    private static final long MAX_SIZE = 1L << 30;

    private final NavigableMap<String, Document> documents = new TreeMap<>();
    private long writes;

    /** Without any. */
    public MemoryDocuments() {}

    @Override
    public String kind() {
        return "memory";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    public boolean isAtomic() {
        return true;
    }

    @Override
    public synchronized Optional<DocumentHead> look(String name) {
        return get(name).map(Document::head);
    }

    @Override
    public synchronized Optional<Document> get(String name) {
        return Optional.ofNullable(documents.get(DocumentNames.checked(name)));
    }

    @Override
    public synchronized WriteOutcome write(List<Change> changes) {
        Writes.check(this, changes);
        for (int i = 0; i < changes.size(); i++) {
            Optional<DocumentHead> current = look(changes.get(i).name());
            if (!changes.get(i).condition().holds(current)) {
                return new WriteOutcome.Refused(i, current);
            }
        }
        List<DocumentHead> heads = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                heads.add(keep(put.name(), put.content(), put.attributes()));
            } else if (change instanceof Change.Mark mark) {
                get(mark.name()).ifPresent(marked -> heads.add(keep(mark.name(), marked.content(), mark.attributes())));
            } else {
                documents.remove(change.name());
            }
        }
        return new WriteOutcome.Written(heads);
    }

    private DocumentHead keep(String name, byte[] content, Map<String, String> attributes) {
        writes++;
        DocumentHead head = new DocumentHead(name, Long.toString(writes), content.length, attributes);
        documents.put(name, new Document(head, content));
        return head;
    }

    @Override
    public synchronized DocumentPage list(ListRequest request) {
        NavigableMap<String, Document> ordered = request.newestFirst() ? documents.descendingMap() : documents;
        List<DocumentHead> found = new ArrayList<>();
        for (Document document : ordered.values()) {
            if (request.matches(document.head().name())) {
                if (found.size() == request.limit()) {
                    return new DocumentPage(
                            found, Optional.of(found.get(found.size() - 1).name()));
                }
                found.add(document.head());
            }
        }
        return new DocumentPage(found, Optional.empty());
    }

    @Override
    public void close() {}
}
