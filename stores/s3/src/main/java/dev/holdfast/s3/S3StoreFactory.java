package dev.holdfast.s3;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;

/** Opens {@code s3://bucket/prefix?endpoint=…&region=…}. */
public final class S3StoreFactory implements StoreFactory {
    @Override
    public boolean accepts(String url) {
        return url.regionMatches(true, 0, BucketAddress.SCHEME, 0, BucketAddress.SCHEME.length());
    }

    @Override
    public String example() {
        return BucketAddress.EXAMPLE;
    }

    @Override
    public RecordStore open(String url) {
        return S3Store.open(url, S3Config.DEFAULT);
    }
}
