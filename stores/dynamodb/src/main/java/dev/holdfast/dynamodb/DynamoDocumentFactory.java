package dev.holdfast.dynamodb;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;

/** Opens the documents beside the locks of {@code dynamodb://region/table}. */
public final class DynamoDocumentFactory implements DocumentFactory {
    @Override
    public boolean accepts(String url) {
        return new DynamoStoreFactory().accepts(url);
    }

    @Override
    public String example() {
        return new DynamoStoreFactory().example();
    }

    @Override
    public DocumentStore open(String url) {
        return DynamoDocuments.open(url);
    }
}
