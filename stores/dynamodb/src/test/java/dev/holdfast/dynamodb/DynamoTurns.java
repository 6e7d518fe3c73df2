package dev.holdfast.dynamodb;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.TurnTaker;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Takes turns in a table of DynamoDB, in a process of its own, and counts with a {@link DynamoCounter} there. */
final class DynamoTurns {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** Several of them start at once, on a machine with other things to do. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private DynamoTurns() {}

    /** Starts one on this table; it says when it is open. */
    static JavaProcess start(String table) {
        JavaProcess client = JavaProgram.of(DynamoTurns.class)
                .heap("128m", "-Daws.accessKeyId=test", "-Daws.secretAccessKey=test")
                .start(Integer.toString(Dynamo.port()));
        client.tell("open " + table);
        return client;
    }

    /** The other process. */
    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        DynamoConfig config = DynamoConfig.DEFAULT.withPollInterval(Duration.ofMillis(50));
        TurnTaker.obey(table -> {
            TableAddress place = Dynamo.place(table, port);
            DynamoDbAsyncClient client = DynamoClients.of(place, PATIENCE, Optional.empty());
            LockClient locks = LockClient.on(DynamoStore.open(client, place.table(), config), ClientConfig.DEFAULT);
            return new TurnTaker.Place(locks, LEASE, new DynamoCounter(client, place.table()));
        });
    }
}
