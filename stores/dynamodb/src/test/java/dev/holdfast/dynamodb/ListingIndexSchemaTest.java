package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.LockClient;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("the index for listings")
class ListingIndexSchemaTest {
    private static final String INDEX = ListingIndex.DEFAULT_NAME;
    private static final ScanRequest MINE =
            new ScanRequest(Optional.of("mine"), "", ScanRequest.Which.ALL, Optional.empty(), 10);

    private final FaultLine line = new FaultLine();

    @AfterEach
    void close() {
        line.close();
    }

    private String url(String table, String more) {
        return Dynamo.url(table, line.port()) + more;
    }

    /** The operations of a listing. */
    private List<String> listing(String url) {
        try (RecordStore store = DynamoStore.open(url + "&timeout=60s")) {
            line.forget();
            Await.get(store.scan(MINE));
            return line.passed();
        }
    }

    @Test
    @DisplayName("is made with a new table when it is asked for, and is found by itself")
    void madeWhenAsked() throws InterruptedException {
        String table = Dynamo.newName();
        String url = url(table, "");
        DynamoSchema.of(url).withIndex().migrate();
        DynamoSchema.of(url).withIndex().migrate();
        DynamoSchema.of(url).migrate();
        new ManyLocks(table).write(List.of(new RecordKey("mine", "a"), new RecordKey("mine", "b")));
        assertThat(listing(url)).containsExactly("Query");
        assertThat(listing(url + "&index=on")).containsExactly("Query");
        assertThat(listing(url + "&index=off")).containsExactly("Scan");
        try (RecordStore store = DynamoStore.open(url + "&timeout=60s")) {
            assertThat(Await.get(store.scan(MINE)).records()).hasSize(2);
        }
    }

    @Test
    @DisplayName("is not made unless it is asked for; then a table that is there gets it")
    void added() {
        String table = Dynamo.newName();
        DynamoSchema.of(url(table, "")).migrate();
        assertThat(Dynamo.index(table, INDEX)).isEmpty();
        assertThat(listing(url(table, ""))).containsExactly("Scan");
        GlobalSecondaryIndexDescription index = add(table);
        assertThat(index.projection().projectionType()).isEqualTo(ProjectionType.ALL);
        assertThat(index.keySchema().stream().map(KeySchemaElement::attributeName))
                .containsExactly("namespace", "lockName");
    }

    /**
     * Adds it, and does not wait until it is filled: DynamoDB Local sometimes never is done with that, and sometimes answers 500 while it
     * is at it.
     */
    private static GlobalSecondaryIndexDescription add(String table) {
        TableAddress place = Dynamo.place(table, Dynamo.port());
        IndexMaker maker = new IndexMaker(new TableRequests(
                Dynamo.client(), place, DynamoConfig.DEFAULT.time(), DynamoConfig.DEFAULT.skew(), ServerTime.DATE));
        Await.until("the index is being made", () -> {
            try {
                maker.begin(
                        Dynamo.client()
                                .describeTable(describe -> describe.tableName(table))
                                .join()
                                .table(),
                        INDEX);
                return Dynamo.index(table, INDEX).isPresent();
            } catch (OutcomeUnknownException | CompletionException e) {
                return false;
            }
        });
        return Dynamo.index(table, INDEX).orElseThrow();
    }

    @Test
    @DisplayName("can have another name, which the URL says")
    void otherName() {
        String table = Dynamo.newName();
        DynamoSchema.of(url(table, "&index=by-team")).migrate();
        assertThat(Dynamo.index(table, "by-team")).isPresent();
        assertThat(listing(url(table, "&index=by-team"))).containsExactly("Query");
        assertThat(listing(url(table, ""))).containsExactly("Scan");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DynamoStore.open(url(table, "&index=on")))
                .withMessageContaining("no index '" + INDEX + "'")
                .withMessageContaining("'" + table + "'")
                .withMessageContaining("holdfast schema migrate --store '" + url(table, "&index=" + INDEX) + "'");
    }

    @Test
    @DisplayName("of a table with capacity of its own gets as much of it as the table")
    void provisioned() {
        String table = Dynamo.newName();
        Dynamo.client()
                .createTable(create -> create.tableName(table)
                        .billingMode(BillingMode.PROVISIONED)
                        .provisionedThroughput(
                                units -> units.readCapacityUnits(11L).writeCapacityUnits(7L))
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("lockId")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("lockId")
                                .keyType(KeyType.HASH)
                                .build()))
                .join();
        assertThat(add(table).provisionedThroughput().writeCapacityUnits()).isEqualTo(7);
    }

    @Test
    @DisplayName("with other keys is left alone with a warning; who asked for it is refused; it is not changed")
    void otherKeys() {
        String table = Dynamo.indexedTable(ProjectionType.ALL, "owner", "lockName");
        String said = "the key owner (S), lockName (S) and the projection ALL, not namespace (S), lockName (S) and ALL";
        assertIgnored(table, said);
        assertThat(Dynamo.index(table, INDEX).orElseThrow().keySchema().get(0).attributeName())
                .isEqualTo("owner");
    }

    @Test
    @DisplayName("that does not have all of an item is left alone with a warning: locks would be missing")
    void otherProjection() {
        String table = Dynamo.indexedTable(ProjectionType.KEYS_ONLY, "namespace", "lockName");
        assertIgnored(table, "the projection KEYS_ONLY, not namespace (S), lockName (S) and ALL");
    }

    private void assertIgnored(String table, String said) {
        try (LogSpy log = new LogSpy(IndexCheck.class)) {
            assertThat(listing(url(table, ""))).containsExactly("Scan");
            assertThat(log.heard())
                    .singleElement()
                    .asString()
                    .contains("WARN", INDEX, table, said, "delete that index", "read the whole table");
            assertThat(listing(url(table, "&index=off"))).containsExactly("Scan");
            assertThat(log.heard()).hasSize(1);
        }
        for (Runnable asked : List.<Runnable>of(
                () -> DynamoStore.open(url(table, "&index=on")),
                () -> DynamoSchema.of(url(table, "")).withIndex().migrate())) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(asked::run)
                    .withMessageContaining(said)
                    .withMessageContaining("'" + table + "'");
        }
    }

    @Test
    @DisplayName(
            "is not used unseen: without the right to look at the table, listings read all of it, or it is refused")
    void unseen() {
        String table = Dynamo.indexedTable();
        line.next(Integer.MAX_VALUE, "DescribeTable", FaultLine.Fault.refused(400, "AccessDeniedException"));
        assertThat(listing(url(table, "&history=off"))).containsExactly("Scan");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DynamoStore.open(url(table, "&history=off&index=on")))
                .withMessageContaining("'" + INDEX + "'")
                .withMessageContaining("dynamodb:DescribeTable");
    }

    @Test
    @DisplayName("is not made where a lock has too long a name for it: nobody could release that lock any more")
    void longNames() throws InterruptedException {
        String table = Dynamo.freshTable();
        try (LockClient locks = Locks.plain(table, Dynamo.port())) {
            locks.acquire("日".repeat(342)).close();
        }
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DynamoSchema.of(url(table, "&index=on")).migrate())
                .withMessageContaining("日日日")
                .withMessageContaining("1024 bytes");
        assertThat(Dynamo.index(table, INDEX)).isEmpty();
    }

    @Test
    @DisplayName("is shown as a command and as Terraform, to be left out or put in")
    void shown() {
        String with = DynamoSchema.of("dynamodb://eu-west-1/mine").withIndex().createCommands();
        assertThat(with)
                .contains("\naws dynamodb update-table --region eu-west-1 \\\n")
                .contains("\"IndexName\": \"" + INDEX + "\"")
                .contains("\n#   global_secondary_index {\n")
                .doesNotContain("@");
        assertThat(DynamoSchema.of("dynamodb://eu-west-1/mine?index=by-team").createCommands())
                .contains("\"IndexName\": \"by-team\"");
        String without = DynamoSchema.of("dynamodb://eu-west-1/mine").createCommands();
        assertThat(without.lines().filter(it -> !it.startsWith("#")))
                .noneMatch(it -> it.contains("update-table") || it.contains("IndexName") || it.contains("lockName"))
                .anyMatch(it -> it.startsWith("aws dynamodb create-table"));
        assertThat(without).contains("\n# aws dynamodb update-table").contains("\n# #   global_secondary_index {\n");
    }

    @Test
    @DisplayName("has a name as DynamoDB wants it, and is not asked for and forbidden at once")
    void names() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DynamoUrl.of("dynamodb://eu-west-1/locks?index=a%20b"))
                .withMessageContaining("index 'a b' must be on, off, or the name");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        DynamoSchema.of("dynamodb://eu-west-1/locks?index=off").withIndex())
                .withMessageContaining("index=off");
    }
}
