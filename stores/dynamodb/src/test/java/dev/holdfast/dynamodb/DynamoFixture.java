package dev.holdfast.dynamodb;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.dynamodb.locks.DynamoHistoryStore;
import dev.holdfast.dynamodb.locks.DynamoRecordStore;
import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.RemoteFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Tables of their own on a real server, whose answers tell the time of the test. */
final class DynamoFixture extends RemoteFixture {
    private final String table;

    private DynamoFixture(String table, boolean settled) {
        super(Dynamo.port(), settled);
        this.table = table;
    }

    /** The store as it is. */
    static DynamoFixture plain() {
        return new DynamoFixture(Dynamo.freshTable(), false);
    }

    /** The store as it is, with an index for listings. */
    static DynamoFixture indexed() {
        return new DynamoFixture(Dynamo.indexedTable(), false);
    }

    /** The store for engines in a time that stands still while they wait. */
    static DynamoFixture settled() {
        return new DynamoFixture(Dynamo.freshTable(), true);
    }

    @Override
    protected RecordStore connect(int port) {
        DynamoConfig config = DynamoConfig.DEFAULT
                .withCallTimeout(Duration.ofSeconds(15))
                .withTime(clock)
                .withSkew(Duration.ZERO);
        ServerTime time = new ServerTime("Date", Duration.ofNanos(1_000), date -> clock.wall());
        TableAddress place = Dynamo.place(table, port);
        DynamoDbAsyncClient client = DynamoClients.of(place, config.callTimeout(), Optional.empty());
        TableRequests calls = new TableRequests(client, place, config.time(), config.skew(), time);
        Optional<String> index =
                new TableCheck(calls).check(true, config.index()).index();
        return new PromptHistory(calls, config.use(index), client::close);
    }

    /** Its events are there when the write is, so that another client sees them too. */
    private static final class PromptHistory extends DynamoHistoryStore {
        PromptHistory(TableRequests calls, DynamoRecordStore.Use use, Runnable afterClose) {
            super(calls, use, afterClose);
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> writes) {
            // An import waits for the events of all writes before it, also one of nothing.
            return super.write(writes)
                    .thenCompose(results -> importAll(List.of()).thenApply(stored -> results));
        }
    }
}
