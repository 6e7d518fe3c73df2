package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.net.ServerSocket;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("what is wrong with a table, and what to do")
class DynamoBadInputTest {
    @Test
    @DisplayName("no such table: the message names it, the region and the command that makes it")
    void noTable() {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> Stores.open(Dynamo.url("not-there", Dynamo.port())))
                .withMessageContaining("'not-there'")
                .withMessageContaining("'" + Dynamo.REGION + "'")
                .withMessageContaining("holdfast schema migrate --store 'dynamodb://" + Dynamo.REGION + "/not-there");
    }

    @Test
    @DisplayName("a table that was removed meanwhile: the same message")
    void tableGone() {
        String table = Dynamo.freshTable();
        try (RecordStore store = Stores.open(Dynamo.url(table, Dynamo.port()))) {
            Dynamo.client().deleteTable(delete -> delete.tableName(table)).join();
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() ->
                            Await.get(store.read(LockKey.of("default", "x").record())))
                    .withMessageContaining("'" + table + "'")
                    .withMessageContaining("holdfast schema migrate");
        }
    }

    @Test
    @DisplayName("a table with other keys: the message names both, and nothing is written")
    void wrongKeys() {
        String table = Dynamo.newName();
        Dynamo.create(table, Map.of("key", ScalarAttributeType.S), "key"); // as the AWS lock client makes it
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> Stores.open(Dynamo.url(table, Dynamo.port())))
                .withMessageContaining("'" + table + "'")
                .withMessageContaining("is key (S), not lockId (S)")
                .withMessageContaining("another tool");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(
                        () -> DynamoSchema.of(Dynamo.url(table, Dynamo.port())).migrate())
                .withMessageContaining("is key (S), not lockId (S)");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(
                        () -> DynamoSchema.of(Dynamo.url(table, Dynamo.port())).drop());
        assertThat(Dynamo.client().scan(scan -> scan.tableName(table)).join().count())
                .isZero();
    }

    @Test
    @DisplayName("a history with other keys: the message names that table")
    void wrongEventKeys() {
        String table = Dynamo.newName();
        Dynamo.create(table, Map.of("lockId", ScalarAttributeType.S), "lockId");
        Dynamo.create(table + "-events", Map.of("id", ScalarAttributeType.S), "id");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> Stores.open(Dynamo.url(table, Dynamo.port())))
                .withMessageContaining("'" + table + "-events'")
                .withMessageContaining("is id (S), not log (S), number (N)");
    }

    @Test
    @DisplayName("an item of another tool: refused by name, left as it is, and left out of listings")
    void foreignItem() throws InterruptedException {
        String table = Dynamo.freshTable();
        Map<String, AttributeValue> foreign = Map.of(
                "lockId", AttributeValue.fromS("default:invoice-run"),
                "namespace", AttributeValue.fromS("default"),
                "lockName", AttributeValue.fromS("invoice-run"),
                "holder", AttributeValue.fromS("somebody"),
                "until", AttributeValue.fromN("1705333200"));
        Dynamo.client().putItem(put -> put.tableName(table).item(foreign)).join();
        try (LockClient locks = Locks.plain(table, Dynamo.port())) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> locks.tryAcquire("invoice-run"))
                    .withMessageContaining("'default:invoice-run'")
                    .withMessageContaining("'" + table + "'")
                    .withMessageContaining("not written by Holdfast")
                    .withMessageContaining("table of its own");
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> locks.inspect().get(LockKey.of("default", "invoice-run")));
            locks.acquire("another").close();
        }
        assertThat(Dynamo.item(table, "default:invoice-run")).isEqualTo(foreign);
        try (RecordStore store = Stores.open(Dynamo.url(table, Dynamo.port()))) {
            Page page = Await.get(store.scan(ScanRequest.all()));
            assertThat(page.records()).hasSize(1);
        }
    }

    @Test
    @DisplayName("an endpoint nobody listens at: unavailable, naming it")
    void unreachable() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Dynamo.port(); // credentials
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Stores.open(Dynamo.url("locks", port) + "&connect_wait=1s"))
                .withMessageContaining("Cannot reach DynamoDB table 'locks'")
                .withMessageContaining("http://127.0.0.1:" + port)
                .withMessageContaining("check region, endpoint and network");
    }

    @Test
    @DisplayName("a region that does not exist: unavailable, naming it")
    void noSuchRegion() {
        Dynamo.port(); // credentials
        TableAddress place = new TableAddress(
                "nowhere-north-9", "locks", Optional.of(URI.create("http://dynamodb.nowhere.invalid")));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> Stores.open(place.url() + "&connect_wait=1s"))
                .withMessageContaining("'nowhere-north-9'")
                .withMessageContaining("unknown host dynamodb.nowhere.invalid")
                .withMessageContaining("check region");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamodb:|must name region and table",
                "dynamodb://locks|must name region and table",
                "dynamodb:///locks|region ''",
                "dynamodb://EU/locks|region 'EU'",
                "dynamodb://eu-west-1/|table ''",
                "dynamodb://eu-west-1/a b|table 'a b'",
                "dynamodb://eu-west-1/locks?endpoint=localhost:8000|endpoint 'localhost:8000'",
                "dynamodb://eu-west-1/locks?skew=long|skew 'long'",
                "dynamodb://eu-west-1/locks?timeout=5h|timeout '18000000ms' must be between",
                "dynamodb://eu-west-1/locks?history=maybe|history 'maybe'",
                "dynamodb://eu-west-1/locks?accessKey=AKIA|Credentials come from the environment",
            })
    @DisplayName("a URL that is wrong is refused by its part")
    void urls(String url, String said) {
        assertThatIllegalArgumentException().isThrownBy(() -> Stores.open(url)).withMessageContaining(said);
    }

    @Test
    @DisplayName("a URL says where and how")
    void goodUrl() {
        DynamoUrl url = DynamoUrl.of(
                "dynamodb://eu-west-1/my.locks?endpoint=http%3A%2F%2Flocalhost%3A8000&skew=1s&poll=250ms&history=off");
        assertThat(url.place())
                .isEqualTo(new TableAddress("eu-west-1", "my.locks", Optional.of(URI.create("http://localhost:8000"))));
        assertThat(url.config().skew()).hasSeconds(1);
        assertThat(url.config().pollInterval()).hasMillis(250);
        assertThat(url.config().history()).isFalse();
        assertThat(DynamoUrl.of(url.place().url()).place()).isEqualTo(url.place());
    }
}
