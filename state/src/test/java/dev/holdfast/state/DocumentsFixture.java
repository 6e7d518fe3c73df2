package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import java.util.Map;

/** Fresh documents for a test: who brings another document store adds one of these and a subclass of {@link StateContract}. */
interface DocumentsFixture extends AutoCloseable {
    /** The documents; the same place each time. */
    DocumentStore open();

    @Override
    void close();

    /** Damages stored bytes as a failing disk or a careless hand does: other content, same attributes. */
    default void damage(String name) {
        DocumentStore documents = open();
        Map<String, String> attributes = documents.look(name).orElseThrow().attributes();
        documents.write(Change.put(
                name,
                Condition.none(),
                "{\"damaged\": true}".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                attributes));
    }

    /** Documents in memory. */
    static DocumentsFixture memory() {
        DocumentStore documents = new MemoryDocuments();
        return new DocumentsFixture() {
            @Override
            public DocumentStore open() {
                return documents;
            }

            @Override
            public void close() {
                documents.close();
            }
        };
    }

    /** Documents with this URL. */
    static DocumentsFixture at(String url) {
        DocumentStore documents = DocumentStores.open(url);
        return new DocumentsFixture() {
            @Override
            public DocumentStore open() {
                return documents;
            }

            @Override
            public void close() {
                documents.close();
            }
        };
    }

    /** The same, as on a store that writes one document after the other. */
    static DocumentsFixture oneByOne() {
        DocumentStore documents = new OneByOne(new MemoryDocuments());
        return new DocumentsFixture() {
            @Override
            public DocumentStore open() {
                return documents;
            }

            @Override
            public void close() {
                documents.close();
            }
        };
    }
}
