package dev.holdfast.dynamodb.documents;

import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.spi.StoreUnusableException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The item of a document's head. All heads have one partition key, so that a query finds them in the order of their names; the bytes are
 * in an item of their own, so that a query does not read them; an empty content has none.
 */
final class DocumentItem {
    static final String PART = "part";
    static final String NAME = "name";
    static final String TAG = "tag";
    static final String LEAF = "leaf";
    static final String HEADS = "heads";
    static final String BYTES = "bytes";

    private static final String SIZE = "size";
    private static final String CONTENT = "content";
    private static final String ATTRIBUTES = "attributes";
    private static final String CONTENTS = "content#";

    private DocumentItem() {}

    static Map<String, AttributeValue> key(String name) {
        return key(HEADS, name);
    }

    /** Contents have a partition each. */
    static Map<String, AttributeValue> contentKey(String id) {
        return key(contentPart(id), CONTENT);
    }

    static String contentPart(String id) {
        return CONTENTS + id;
    }

    private static Map<String, AttributeValue> key(String part, String name) {
        return Map.of(PART, AttributeValue.fromS(part), NAME, AttributeValue.fromS(name));
    }

    static Map<String, AttributeValue> item(StoredDocument document) {
        DocumentHead head = document.head();
        Map<String, AttributeValue> item = new HashMap<>(key(head.name()));
        Map<String, AttributeValue> attributes = new TreeMap<>();
        head.attributes().forEach((name, value) -> attributes.put(name, AttributeValue.fromS(value)));
        item.put(TAG, AttributeValue.fromS(head.tag()));
        item.put(LEAF, AttributeValue.fromS(DocumentNames.leaf(head.name())));
        item.put(SIZE, AttributeValue.fromN(Long.toString(head.size())));
        item.put(CONTENT, AttributeValue.fromS(document.content()));
        item.put(ATTRIBUTES, AttributeValue.fromM(attributes));
        return item;
    }

    static StoredDocument of(Map<String, AttributeValue> item) {
        String name = text(item, NAME);
        Map<String, String> attributes = new TreeMap<>();
        Optional.ofNullable(item.get(ATTRIBUTES))
                .ifPresent(map -> map.m().forEach((key, value) -> attributes.put(key, value.s())));
        try {
            long size = Long.parseLong(String.valueOf(
                    Optional.ofNullable(item.get(SIZE)).map(AttributeValue::n).orElse("")));
            return new StoredDocument(new DocumentHead(name, text(item, TAG), size, attributes), text(item, CONTENT));
        } catch (NumberFormatException e) {
            throw new StoreUnusableException(
                    "The item of document '" + name
                            + "' has no size, so it is not what Holdfast wrote; restore it from a" + " backup",
                    e);
        }
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Optional.ofNullable(item.get(name)).map(AttributeValue::s).orElse("");
    }
}
