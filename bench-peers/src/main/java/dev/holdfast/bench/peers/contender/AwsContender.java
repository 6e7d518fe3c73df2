package dev.holdfast.bench.peers.contender;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import com.amazonaws.services.dynamodbv2.model.LockNotGrantedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Amazon's lock client on DynamoDB. It looks again every 10 ms while it waits; it would do so every second by itself. */
final class AwsContender implements Contender {
    private static final String TABLE = "aws-locks";
    private static final String KEY = "key";
    private static final long REFRESH_MILLIS = 10;

    private final DynamoDbClient dynamo;
    private final AmazonDynamoDBLockClient locks;

    AwsContender(int port) {
        dynamo = DynamoDbClient.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + port))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
        makeTable();
        locks = new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(dynamo, TABLE)
                .withPartitionKeyName(KEY)
                .withTimeUnit(TimeUnit.SECONDS)
                .withLeaseDuration(LEASE.toSeconds())
                .withHeartbeatPeriod(LEASE.toSeconds() / 3)
                .withCreateHeartbeatBackgroundThread(true)
                .build());
    }

    private void makeTable() {
        try {
            dynamo.createTable(create -> create.tableName(TABLE)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(KeySchemaElement.builder()
                            .attributeName(KEY)
                            .keyType(KeyType.HASH)
                            .build())
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName(KEY)
                            .attributeType(ScalarAttributeType.S)
                            .build()));
        } catch (ResourceInUseException e) {
            return; // it is there
        }
    }

    @Override
    public Optional<Held> take(String name, Duration wait) throws InterruptedException {
        try {
            return Optional.of(held(locks.acquireLock(AcquireLockOptions.builder(name)
                    .withTimeUnit(TimeUnit.MILLISECONDS)
                    .withRefreshPeriod(REFRESH_MILLIS)
                    .withAdditionalTimeToWaitForLock(wait.toMillis())
                    .withShouldSkipBlockingWait(wait.isZero())
                    .withDeleteLockOnRelease(true)
                    .build())));
        } catch (LockNotGrantedException | LockCurrentlyUnavailableException e) {
            return Optional.empty();
        }
    }

    private Held held(LockItem item) {
        return new Renewable(() -> locks.sendHeartbeat(item), () -> {
            if (!locks.releaseLock(item)) {
                throw new IllegalStateException("the AWS lock client lost its own lock");
            }
        });
    }

    @Override
    public void close() {
        try {
            locks.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            dynamo.close();
        }
    }
}
