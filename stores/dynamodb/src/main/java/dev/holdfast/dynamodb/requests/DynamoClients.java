package dev.holdfast.dynamodb.requests;

import dev.holdfast.aws.AwsHttpClient;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** Clients as the store wants them: every request is sent once, within a limit of time, and they close at once. */
public final class DynamoClients {
    /** More than the engine has under way at once. */
    private static final int MAX_CONNECTIONS = 300;

    private DynamoClients() {}

    /** With these credentials, or with AWS's usual ways to find some. */
    public static DynamoDbAsyncClient of(
            TableAddress place, Duration callTimeout, Optional<AwsCredentials> credentials) {
        Duration connect = callTimeout.dividedBy(2);
        DynamoDbAsyncClientBuilder builder = DynamoDbAsyncClient.builder()
                .region(Region.of(place.region()))
                .endpointDiscoveryEnabled(false)
                .httpClientBuilder(AwsHttpClient.builder(NettyNioAsyncHttpClient.builder()
                        .maxConcurrency(MAX_CONNECTIONS)
                        .connectionTimeout(connect)
                        .connectionAcquisitionTimeout(connect)
                        .tcpKeepAlive(true)))
                .overrideConfiguration(o -> o.apiCallTimeout(callTimeout)
                        .apiCallAttemptTimeout(callTimeout)
                        // Retries exist once, in the engine: it knows how much time is left.
                        .retryStrategy(retry -> retry.maxAttempts(1)));
        place.endpoint().ifPresent(builder::endpointOverride);
        credentials.map(StaticCredentialsProvider::create).ifPresent(builder::credentialsProvider);
        try {
            return builder.build();
        } catch (SdkClientException e) {
            throw new StoreUnusableException("No client can be made for " + place + ": " + e.getMessage(), e);
        }
    }
}
