package dev.holdfast.s3;

import static dev.holdfast.aws.AwsRequests.await;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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
    boolean run() {
        String tag = await(objects.create(key, probe("first"))).orElseThrow(() -> ignored("a new object is refused"));
        List<Optional<String>> over = AwsRequests.awaitAll(List.of(
                objects.create(key, probe("created over it")), objects.replace(key, NO_TAG, probe("replaced it"))));
        if (over.stream().anyMatch(Optional::isPresent)) {
            await(objects.get(key)).ifPresent(found -> await(objects.delete(key, found.tag())));
            throw ignored(over.get(0).isPresent() ? "If-None-Match" : "If-Match");
        }
        boolean deletes = !await(objects.delete(key, NO_TAG));
        if (!deletes) {
            LOG.warn(
                    "{} ignores If-Match when it deletes: locks work, and idle ones are never deleted",
                    objects.place().shown());
        }
        await(objects.delete(key, tag));
        await(objects.get(key));
        return deletes;
    }

    private StoreUnusableException ignored(String condition) {
        return new StoreUnusableException(
                objects.place().shown() + " does not honour conditional writes (" + condition
                        + "), so two could hold one lock. Nothing was changed; use Amazon S3, or a server that supports"
                        + " conditional writes",
                null);
    }

    private static byte[] probe(String what) {
        return ("{\"probe\":\"" + what + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
