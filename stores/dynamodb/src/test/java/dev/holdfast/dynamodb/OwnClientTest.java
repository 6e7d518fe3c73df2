package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.FaultLine.Fault;
import dev.holdfast.spi.StoreUnusableException;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@DisplayName("through a client of the caller")
class OwnClientTest {
    @Test
    @DisplayName("locks work, its own retries do no harm, and it stays open")
    void ownClient() throws InterruptedException {
        String table = Dynamo.freshTable();
        try (FaultLine line = new FaultLine();
                DynamoDbAsyncClient client = DynamoDbAsyncClient.builder() // retries as AWS sets them
                        .region(Region.of(Dynamo.REGION))
                        .endpointOverride(URI.create("http://127.0.0.1:" + line.port()))
                        .build()) {
            try (LockClient locks = LockClient.on(
                    DynamoStore.open(client, table, DynamoConfig.DEFAULT.withHistory(false)), ClientConfig.DEFAULT)) {
                line.next(1, "UpdateItem", Fault.doneButFailed());
                Lease lease = locks.acquire("lock");
                assertThat(Dynamo.item(table, "default:lock").get("token").n())
                        .isEqualTo(Long.toString(lease.token().value()));
                line.next(1, "UpdateItem", Fault.doneButFailed());
                assertThat(lease.release()).isTrue();
            }
            assertThat(client.describeTable(one -> one.tableName(table))
                            .join()
                            .table()
                            .tableName())
                    .isEqualTo(table);
        }
    }

    @Test
    @DisplayName("a table that is missing is named, without a region nobody told")
    void noTable() {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DynamoStore.open(Dynamo.client(), "not-there", DynamoConfig.DEFAULT))
                .withMessageContaining("'not-there' of the given client")
                .withMessageContaining("holdfast schema migrate");
    }
}
