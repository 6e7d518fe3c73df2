package dev.holdfast.s3;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

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
    private static final int CONNECTIONS = 128;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** Servers other than Amazon's have no regions, but the signature of a request names one. */
    private static final Region NOWHERE = Region.US_EAST_1;

    private S3Store() {}

    /**
     * Opens {@code s3://bucket/prefix?endpoint=…&region=…}. Credentials, and the region if it is not given, are found as the AWS SDK
     * finds them. Before it returns, the server has proved that it keeps the conditions of writes.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     * @throws StoreException saying which bucket, what is wrong, and what to do
     */
    public static RecordStore open(String url, S3Config config) {
        return open(Place.of(url), config, ServerTime.DATE);
    }

    /**
     * The same with a client of the caller's, which stays open. Its own retries should be off
     * ({@code DefaultRetryStrategy.doNotRetry()}): the engine knows better when a second attempt makes sense.
     */
    public static RecordStore open(S3AsyncClient client, String bucket, String prefix, S3Config config) {
        return open(new Objects(client, Place.of(bucket, prefix), config, ServerTime.DATE), () -> {});
    }

    static RecordStore open(Place place, S3Config config, ServerTime time) {
        S3AsyncClient client = client(place, config);
        try {
            return open(new Objects(client, place, config, time), client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static RecordStore open(Objects objects, Runnable afterClose) {
        try {
            boolean deletes = new SelfTest(objects).run().join();
            return new S3RecordStore(objects, deletes, afterClose);
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException told ? told : e;
        }
    }

    /** A client that tries once. */
    private static S3AsyncClient client(Place place, S3Config config) {
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(CONNECTIONS)
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .connectionAcquisitionTimeout(config.requestTimeout()))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                // Bodies are small, and TLS keeps them whole; what is more confuses other servers than Amazon's.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .chunkedEncodingEnabled(false)
                        .expectContinueEnabled(false)
                        .build());
        place.endpoint().ifPresent(server -> builder.endpointOverride(server)
                .forcePathStyle(true)
                .region(NOWHERE));
        place.region().ifPresent(name -> builder.region(Region.of(name)));
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new StoreUnusableException(
                    "No region is known for " + place.shown() + " (" + e.getMessage()
                            + "); add region=… to the URL, or set AWS_REGION",
                    e);
        }
    }
}
