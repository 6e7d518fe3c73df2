package dev.holdfast.s3;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reading records out of objects, and refusing what only lies where a lock's object would. */
record RecordReader(BucketRequests objects) {
    ObjectKeys keys() {
        return new ObjectKeys(objects.place().prefix());
    }

    CompletableFuture<Optional<Versioned>> read(RecordKey key) {
        return read(keys().of(key));
    }

    /** The record in the object with this key; fails as unusable if that is none of ours. */
    CompletableFuture<Optional<Versioned>> read(String key) {
        return objects.get(key).thenApply(found -> found.map(object -> versioned(key, object)));
    }

    private Versioned versioned(String key, BucketRequests.StoredObject object) {
        if (!object.whole()) {
            throw foreign(key, "it is larger than any lock");
        }
        try {
            LockRecord record = RecordObject.read(object.text());
            if (!keys().of(record.key()).equals(key)) {
                throw foreign(
                        key,
                        "it was copied here: it is of lock '" + record.key().name() + "' in '"
                                + record.key().namespace() + "'");
            }
            return new Versioned(record, object.tag());
        } catch (RecordObject.ForeignException e) {
            throw foreign(key, String.valueOf(e.getMessage()));
        }
    }

    private StoreUnusableException foreign(String key, String why) {
        return new StoreUnusableException(
                "Object '" + key + "' in bucket '" + objects.place().bucket() + "' is not a lock of ours (" + why
                        + "). It was not touched; move it away, or keep the locks under another prefix than '"
                        + objects.place().prefix() + "'",
                null);
    }
}
