package dev.holdfast.s3;

import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves that a server keeps the conditions that locks stand on. There are servers that speak S3, ignore them, and would let two hold
 * one lock.
 *
 * <pre>
 *   PUT    probe, if there is none         must succeed
 *   PUT    probe, if there is none         must be refused (412)  ┐
 *   PUT    probe, if its tag is another    must be refused (412)  ├ together
 *   DELETE probe, if its tag is another    must be refused (412)  ┘ or records are never deleted
 *   DELETE probe, if its tag is its tag    must succeed
 *   GET    probe                           must not be found (404; without s3:ListBucket it is 403)
 * </pre>
 */
final class SelfTest {
    private static final Logger LOG = LoggerFactory.getLogger(SelfTest.class);
    private static final String NO_TAG = "00000000000000000000000000000000";

    private final BucketRequests objects;
    private final String key;

    SelfTest(BucketRequests objects) {
        this(objects, new ObjectKeys(objects.place().prefix()).probe(""));
    }

    /** With a probe whose key begins so. */
    SelfTest(BucketRequests objects, String start) {
        this.objects = objects;
        this.key = start + UUID.randomUUID();
    }

    /**
     * Whether the server deletes on condition. Fails as unusable if it does not write on condition, and like any request if it
     * cannot be asked.
     */
    CompletableFuture<Boolean> run() {
        return objects.create(key, probe("first"))
                .thenCompose(first -> conditions(first.orElseThrow(() -> ignored("a new object is refused"))));
    }

    private CompletableFuture<Boolean> conditions(String tag) {
        CompletableFuture<Boolean> created =
                objects.create(key, probe("created over it")).thenApply(java.util.Optional::isPresent);
        CompletableFuture<Boolean> replaced =
                objects.replace(key, NO_TAG, probe("replaced it")).thenApply(java.util.Optional::isPresent);
        return created.thenCombine(replaced, (one, other) -> one ? "If-None-Match" : other ? "If-Match" : "")
                .thenCompose(broken -> broken.isEmpty()
                        ? deletion(tag)
                        : cleanUp().thenCompose(done -> CompletableFuture.failedFuture(ignored(broken))));
    }

    private CompletableFuture<Boolean> deletion(String tag) {
        return objects.delete(key, NO_TAG).thenCompose(broken -> {
            if (broken) {
                LOG.warn(
                        "{} ignores If-Match when it deletes: locks work, and idle ones are never deleted",
                        objects.place().shown());
            }
            return objects.delete(key, tag)
                    .thenCompose(deleted -> objects.get(key))
                    .thenApply(gone -> !broken);
        });
    }

    private CompletableFuture<Boolean> cleanUp() {
        return objects.get(key)
                .thenCompose(found -> found.map(object -> objects.delete(key, object.tag()))
                        .orElseGet(() -> CompletableFuture.completedFuture(false)));
    }

    private StoreUnusableException ignored(String condition) {
        return new StoreUnusableException(
                objects.place().shown() + " does not keep the conditions of writes (" + condition
                        + "), so two could hold one lock. Nothing was changed; use Amazon S3, or a server that supports"
                        + " conditional writes",
                null);
    }

    private static byte[] probe(String what) {
        return ("{\"probe\":\"" + what + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
