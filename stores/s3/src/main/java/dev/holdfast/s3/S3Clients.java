package dev.holdfast.s3;

import dev.holdfast.aws.AwsHttpClient;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Clients as the store wants them. They try once: the engine decides about a second attempt. */
final class S3Clients {
    private static final int CONNECTIONS = 128;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** Servers other than Amazon's have no regions, but the signature of a request names one. */
    private static final Region NOWHERE = Region.US_EAST_1;

    private S3Clients() {}

    static S3AsyncClient of(BucketAddress place, S3Config config) {
        try {
            return builder(place, config).build();
        } catch (SdkClientException e) {
            throw new StoreUnusableException(
                    "No region is known for " + place.shown() + "; add region=… to the URL, or set AWS_REGION", e);
        }
    }

    private static S3AsyncClientBuilder builder(BucketAddress place, S3Config config) {
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClientBuilder(AwsHttpClient.builder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(CONNECTIONS)
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .connectionAcquisitionTimeout(config.requestTimeout())))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                // Bodies are small, and TLS keeps them whole; what is more confuses other servers than Amazon's.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .chunkedEncodingEnabled(false)
                        .expectContinueEnabled(false)
                        .build());
        place.endpoint()
                .ifPresent(server ->
                        builder.endpointOverride(server).forcePathStyle(true).region(NOWHERE));
        place.region().ifPresent(name -> builder.region(Region.of(name)));
        return builder;
    }
}
