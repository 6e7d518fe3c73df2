package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

@DisplayName("the tables in DynamoDB")
class DynamoSchemaTest {
    private final String table = Dynamo.newName();
    private final String url = Dynamo.url(table, Dynamo.port());

    @Test
    @DisplayName("are made with their time to live, once, and can be used; removed, they are gone")
    void madeAndRemoved() throws InterruptedException {
        DynamoSchema.of(url).migrate();
        DynamoSchema.of(url).migrate();
        for (String one : new String[] {table, table + "-events"}) {
            TimeToLiveDescription life = Dynamo.client()
                    .describeTimeToLive(describe -> describe.tableName(one))
                    .join()
                    .timeToLiveDescription();
            assertThat(life.attributeName()).isEqualTo("expiry");
        }
        try (LockClient locks = LockClient.connect(url)) {
            locks.acquire("lock").close();
        }
        DynamoSchema.of(url).drop();
        DynamoSchema.of(url).drop();
        assertThatExceptionOfType(StoreUnusableException.class).isThrownBy(() -> DynamoStore.open(url));
    }

    @Test
    @DisplayName("a table made by hand, without one for events, keeps locks and no history, and says so")
    void madeByHand() throws InterruptedException {
        Dynamo.create(table, Map.of("lockId", ScalarAttributeType.S), "lockId");
        try (LogSpy log = new LogSpy(TableCheck.class);
                RecordStore store = DynamoStore.open(url);
                LockClient locks = LockClient.on(store, ClientConfig.DEFAULT)) {
            assertThat(store).isNotInstanceOf(EventLog.class);
            assertThat(log.heard())
                    .anyMatch(said -> said.contains("No history is kept") && said.contains("?history=off"));
            locks.acquire("lock").close();
        }
    }

    @Test
    @DisplayName("a time to live by another attribute is refused: it may remove what is still needed")
    void otherTimeToLive() {
        Dynamo.create(table, Map.of("lockId", ScalarAttributeType.S), "lockId");
        Dynamo.client()
                .updateTimeToLive(update -> update.tableName(table)
                        .timeToLiveSpecification(life -> life.enabled(true).attributeName("expiresAt")))
                .join();
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DynamoSchema.of(url).migrate())
                .withMessageContaining("'expiresAt'")
                .withMessageContaining(table);
    }

    @Test
    @DisplayName("are shown as commands and as Terraform, with their names")
    void shown() {
        String commands = DynamoSchema.of("dynamodb://eu-west-1/mine").createCommands();
        assertThat(commands)
                .contains("aws dynamodb create-table --region eu-west-1 \\")
                .contains("--table-name mine \\")
                .contains("--table-name mine-events")
                .contains("AttributeName=expiry")
                .contains("resource \"aws_dynamodb_table\" \"holdfast_locks\"")
                .doesNotContain("@");
        assertThat(DynamoSchema.of("dynamodb:").createCommands()).contains("--table-name locks ");
        assertThat(DynamoSchema.of(url).dropCommands())
                .contains("--endpoint-url http://127.0.0.1:" + Dynamo.port())
                .contains("delete-table");
    }
}
