package dev.holdfast.dynamodb;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.spi.RecordStore;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Short ways to stores and clients on tables of the tests. */
public final class Locks {
    private Locks() {}

    public static RecordStore open(String table, int port, DynamoConfig config) {
        TableAddress place = Dynamo.place(table, port);
        DynamoDbAsyncClient client = DynamoClients.of(place, config.callTimeout(), Optional.empty());
        try {
            return DynamoStore.open(client, place, config, ServerTime.DATE, client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** A client that keeps no history and looks after nobody else's locks: it does only what it is asked for. */
    public static LockClient plain(String table, int port) {
        return LockClient.on(
                open(table, port, DynamoConfig.DEFAULT.withHistory(false)),
                ClientConfig.DEFAULT.withHistory(false).withSweepEvery(Duration.ofDays(30_000)));
    }
}
