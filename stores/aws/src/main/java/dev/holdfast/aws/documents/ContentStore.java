package dev.holdfast.aws.documents;

import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Heads, and contents beside them. */
public interface ContentStore {
    /** A writer overtakes a reader this often only if it does nothing else. */
    int MAX_LOOKS = 100;

    /** The document of this name, waited for; empty if there is none. */
    Optional<StoredDocument> find(String name);

    /** The bytes of a document, waited for; empty if they are gone. */
    Optional<byte[]> content(StoredDocument document);

    /** Where that content should be, for messages. */
    String placeOf(StoredDocument document);

    /** Stores bytes under a new id, which is told. As nothing names it yet, a failure leaves nothing open. */
    CompletableFuture<String> upload(byte[] content);

    CompletableFuture<?> remove(String id);

    /** Whether a write in doubt has left this document; false also if that cannot be seen. */
    default boolean isThere(Optional<StoredDocument> written) {
        try {
            return written.isPresent() && find(written.get().head().name()).equals(written);
        } catch (StoreException e) {
            return false;
        }
    }

    default Optional<Document> get(String name) {
        DocumentNames.checked(name);
        Optional<StoredDocument> last = Optional.empty();
        for (int look = 0; look < MAX_LOOKS; look++) {
            Optional<StoredDocument> found = find(name);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Optional<byte[]> content = content(found.get());
            if (content.isPresent()
                    && content.get().length == found.get().head().size()) {
                return Optional.of(new Document(found.get().head(), content.get()));
            }
            if (found.equals(last)) {
                throw new StoreUnusableException(
                        "The content of document '" + name + "' is missing from " + placeOf(found.get())
                                + ", or is not as long as when it was written; restore it",
                        null);
            }
            last = found; // it was replaced meanwhile, and its content with it
        }
        throw new StoreUnavailableException(
                "Document '" + name + "' is being written again and again; read it later", null);
    }
}
