package dev.holdfast.s3;

import dev.holdfast.documents.DocumentFactory;
import dev.holdfast.documents.DocumentStore;

/** Opens the documents of {@code s3://bucket/prefix?endpoint=…&region=…}. */
public final class S3DocumentFactory implements DocumentFactory {
    @Override
    public boolean accepts(String url) {
        return new S3StoreFactory().accepts(url);
    }

    @Override
    public String example() {
        return new S3StoreFactory().example();
    }

    @Override
    public DocumentStore open(String url) {
        return S3Documents.open(url);
    }
}
