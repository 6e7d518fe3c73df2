package dev.holdfast.s3;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * Locks in an S3 bucket: one object per lock, written on condition.
 *
 * <pre>
 *   s3://bucket/prefix/default/nightly-report
 *
 *   {"holdfast":1,"namespace":"default","name":"nightly-report","owner":"web-3-4711","fencing_token":1794783243123456,
 *    "acquired_at":"2026-11-15T22:54:03.123456Z","renewed_at":"…","expires_at":"2026-11-15T22:54:33.123456Z",
 *    "stamp":"c5f3…","fence":1794783243123456,"record":{"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711",…}]}}
 * </pre>
 *
 * <p>The clocks of S3's servers count, as their answers tell them in whole seconds. There is no history, and waiters look every
 * second. The requests are listed at {@code S3RecordStore}.
 */
public final class S3Store {
    /** For the first requests of a process, before which much is loaded: on a crowded machine that takes seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private S3Store() {}

    /**
     * Opens {@code s3://bucket/prefix?endpoint=…&region=…}. Credentials, and the region if it is not given, are found as the AWS SDK
     * finds them. Before it returns, the server has proved that it keeps the conditions of writes.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     * @throws StoreException saying which bucket, what is wrong, and what to do
     */
    public static RecordStore open(String url, S3Config config) {
        return open(BucketAddress.of(url), config, ServerTime.DATE);
    }

    /**
     * The same with a client of the caller's, which stays open. Its own retries should be off
     * ({@code DefaultRetryStrategy.doNotRetry()}): the engine knows better when a second attempt makes sense.
     */
    public static RecordStore open(S3AsyncClient client, String bucket, String prefix, S3Config config) {
        return open(new BucketRequests(client, BucketAddress.of(bucket, prefix), config, ServerTime.DATE), () -> {});
    }

    static RecordStore open(BucketAddress place, S3Config config, ServerTime time) {
        if (place.prefix().isEmpty()) {
            throw new IllegalArgumentException("Locks need a prefix of their own in bucket '" + place.bucket()
                    + "', or everything in it would be listed as locks; write s3://" + place.bucket()
                    + "/locks. Only documents (state.store) may be at its root");
        }
        S3AsyncClient client = S3Clients.of(place, config);
        try {
            return open(new BucketRequests(client, place, config, time), client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static RecordStore open(BucketRequests objects, Runnable afterClose) {
        boolean deletes = new SelfTest(objects.patient(PATIENCE)).run();
        return new S3RecordStore(objects, deletes, afterClose);
    }
}
