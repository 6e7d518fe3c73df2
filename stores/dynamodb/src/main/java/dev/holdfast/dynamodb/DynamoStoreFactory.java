package dev.holdfast.dynamodb;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;

/** Opens {@code dynamodb://region/table}, with {@code ?endpoint=} for another address than the region's. */
public final class DynamoStoreFactory implements StoreFactory {
    @Override
    public boolean accepts(String url) {
        return url.regionMatches(true, 0, DynamoUrl.SCHEME, 0, DynamoUrl.SCHEME.length());
    }

    @Override
    public String example() {
        return DynamoUrl.EXAMPLE;
    }

    @Override
    public RecordStore open(String url) {
        return DynamoStore.open(url);
    }
}
