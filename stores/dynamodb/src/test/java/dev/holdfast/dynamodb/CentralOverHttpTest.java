package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a client of LockServiceCentral sees that was told the address of a Holdfast over the same table. */
@DisplayName("/v1 over a table of LockServiceCentral")
class CentralOverHttpTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String ID = "billing:invoice-run";
    /** Who asks without authentication. */
    private static final String ANYBODY = "anonymous";

    private final String table = Dynamo.freshTable();
    private HoldfastServer server;

    @BeforeEach
    void start(@TempDir Path directory) {
        Map<String, String> environment = Map.of(
                "SPRING_PROFILES_ACTIVE", "dynamodb",
                "LOCKER_DYNAMODB_REGION", Dynamo.REGION,
                "LOCKER_DYNAMODB_ENDPOINT", "http://127.0.0.1:" + Dynamo.port(),
                "LOCKER_DYNAMODB_TABLENAME", table,
                "LOCKER_DYNAMODB_ACCESSKEYID", "AKID",
                "LOCKER_DYNAMODB_SECRETACCESSKEY", "s/e+cret",
                "AUTHENTICATION_DISABLED", "true");
        List<String> flags = List.of("--server.port=0", "--server.host=127.0.0.1");
        server = HoldfastServer.start(ServerSetup.of(Settings.load(flags, environment, directory)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** As LockServiceCentral writes it. */
    private Map<String, AttributeValue> central(String owner, String instanceId, long expiresIn) {
        long expiry = Instant.now().getEpochSecond() + expiresIn;
        Map<String, AttributeValue> item = Map.of(
                "lockId", AttributeValue.fromS(ID),
                "namespace", AttributeValue.fromS("billing"),
                "lockName", AttributeValue.fromS("invoice-run"),
                "owner", AttributeValue.fromS(owner),
                "instanceId", AttributeValue.fromS(instanceId),
                "leaseDuration", LockItem.number(60),
                "expiry", LockItem.number(expiry));
        Dynamo.client().putItem(put -> put.tableName(table).item(item)).join();
        return item;
    }

    private HttpResponse<String> post(String act, String instanceId) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.port() + "/v1/billing/lock/invoice-run/" + act))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"instanceId\":\"" + instanceId + "\""
                        + (act.equals("release") ? "}" : ",\"leaseDuration\":60}")))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    private Map<String, AttributeValue> item() {
        return Dynamo.item(table, ID);
    }

    @Test
    @DisplayName("an expired lock is taken over, renewed and released")
    void expired() throws Exception {
        central("alice", "pod-1", -60);
        HttpResponse<String> taken = post("acquire", "pod-2");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        assertThat(item())
                .containsEntry("instanceId", AttributeValue.fromS("pod-2"))
                .containsKeys("stamp", "record");
        assertThat(Long.parseLong(item().get("expiry").n()))
                .isGreaterThan(Instant.now().getEpochSecond());
        assertThat(post("acquire", "pod-3").statusCode()).isEqualTo(423);
        assertThat(post("renew", "pod-2").statusCode()).isEqualTo(200);
        assertThat(post("release", "pod-2").statusCode()).isEqualTo(200);
        assertThat(post("acquire", "pod-3").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("a live lock of somebody else is neither taken, renewed nor released, and its item stays as it is")
    void live() throws Exception {
        Map<String, AttributeValue> item = central("alice", "pod-1", 500);
        HttpResponse<String> refused = post("acquire", "pod-2");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(423);
        assertThat(post("renew", "pod-2").statusCode()).isEqualTo(423);
        assertThat(post("release", "pod-2").statusCode()).isEqualTo(423);
        assertThat(item()).isEqualTo(item);
    }

    @Test
    @DisplayName("a live lock is respected until its end, then granted")
    void untilItsEnd() throws Exception {
        long end = Long.parseLong(central("alice", "pod-1", 3).get("expiry").n()) + 1; // the last second counts
        int status = 423;
        while (status == 423 && Instant.now().isBefore(Instant.ofEpochSecond(end + 20))) {
            Instant asked = Instant.now();
            status = post("acquire", "pod-2").statusCode();
            if (asked.isBefore(Instant.ofEpochSecond(end - 1))) {
                assertThat(status).as("at %s, it ends at %s", asked, end).isEqualTo(423);
            }
        }
        assertThat(status).isEqualTo(200);
        assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(end));
    }

    @Test
    @DisplayName("the holder itself goes on here: renews and releases what it took there")
    void sameHolder() throws Exception {
        central(ANYBODY, "pod-1", 500);
        assertThat(post("renew", "pod-1").statusCode()).isEqualTo(200);
        assertThat(post("acquire", "pod-2").statusCode()).isEqualTo(423);
        assertThat(post("release", "pod-1").statusCode()).isEqualTo(200);
        assertThat(post("acquire", "pod-2").statusCode()).isEqualTo(200);
    }
}
