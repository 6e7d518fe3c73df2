package dev.holdfast.s3;

import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.AttributeText;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.Tags;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is in the head object of a document: a line {@code name=value} for each thing we know, an empty line, and a line for each
 * attribute. Its tag makes each one different from all others, and so its ETag. One without a content has its bytes at its own key.
 */
final class DocumentObject {
    private static final String FORMAT = "1";
    private static final String DELETED = "deleted";
    /** Of a tombstone, in bytes; every head is larger. */
    static final long TOMBSTONE = tombstone().length;

    private DocumentObject() {}

    /** What others put at a document's key: known by its own ETag, without attributes; its bytes are where it is. */
    static StoredDocument found(String name, String etag, long size) {
        return new StoredDocument(new DocumentHead(name, "found-" + etag, size, Map.of()), "");
    }

    static byte[] bytes(StoredDocument document) {
        DocumentHead head = document.head();
        Map<String, String> known = new TreeMap<>();
        known.put("holdfast-document", FORMAT);
        known.put("name", head.name());
        known.put("tag", head.tag());
        known.put("size", Long.toString(head.size()));
        known.put("content", document.content());
        return text(AttributeText.of(known) + "\n" + AttributeText.of(head.attributes()));
    }

    /** What stands for a deleted document where the server does not delete on condition. */
    static byte[] tombstone() {
        Map<String, String> known = new TreeMap<>();
        known.put("holdfast-document", FORMAT);
        known.put(DELETED, Tags.fresh());
        return text(AttributeText.of(known) + "\n");
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The head of a document; empty if it is deleted.
     *
     * @throws StoreUnusableException if the object is somebody else's, or of a newer format
     */
    static Optional<StoredDocument> read(String key, BucketRequests.StoredObject found) {
        try {
            int end = found.text().indexOf("\n\n");
            if (!found.whole() || end < 0) {
                throw new IllegalArgumentException("its end is missing");
            }
            Map<String, String> known = AttributeText.read(found.text().substring(0, end + 1));
            if (!value(known, "holdfast-document").equals(FORMAT)) {
                throw new IllegalArgumentException("a newer Holdfast has written it; upgrade this process");
            }
            if (known.containsKey(DELETED)) {
                return Optional.empty();
            }
            DocumentHead head = new DocumentHead(
                    value(known, "name"),
                    value(known, "tag"),
                    Long.parseLong(value(known, "size")),
                    AttributeText.read(found.text().substring(end + 2)));
            return Optional.of(new StoredDocument(head, value(known, "content")));
        } catch (IllegalArgumentException e) {
            throw new StoreUnusableException(
                    "Object '" + key + "' is not what Holdfast wrote (" + e.getMessage()
                            + "). It was not touched; restore an earlier version of it, or delete it",
                    e);
        }
    }

    private static String value(Map<String, String> known, String name) {
        return Optional.ofNullable(known.get(name))
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
    }
}
