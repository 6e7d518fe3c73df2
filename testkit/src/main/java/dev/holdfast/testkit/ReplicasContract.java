package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What two servers over one store owe: neither knows the other, and a client does not notice which one answers. A store's own test
 * extends this, starts them, and stops them after each test.
 */
public abstract class ReplicasContract {
    /** How it speaks to them. */
    protected static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<Integer> ports = new ArrayList<>();

    /** Starts a server on the store of this test, which is the same for all, and fresh; its port on 127.0.0.1. */
    protected abstract int startReplica(Path directory);

    @BeforeEach
    final void startReplicas(@TempDir Path directory) {
        ports.add(startReplica(directory));
        ports.add(startReplica(directory));
    }

    /** The address of one of them. */
    protected final String address(int replica) {
        return "http://127.0.0.1:" + ports.get(replica);
    }

    private HttpRequest posting(int replica, String path, String json) {
        return HttpRequest.newBuilder(URI.create(address(replica) + path))
                .timeout(Duration.ofSeconds(90))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    /** Sends a request to one of them. */
    protected final HttpResponse<String> post(int replica, String path, String json) throws Exception {
        return HTTP.send(posting(replica, path, json), BodyHandlers.ofString());
    }

    /** A request for the lock. */
    protected static String asking(String leaseId, int waitMillis) {
        return "{\"namespace\":\"n\",\"name\":\"lock\",\"lease_id\":\"lease-id-" + leaseId
                + "\",\"lease_ms\":60000,\"wait_ms\":" + waitMillis + "}";
    }

    private CompletableFuture<HttpResponse<String>> wait(int replica, String leaseId) {
        return HTTP.sendAsync(posting(replica, "/v2/locks/acquire", asking(leaseId, 60_000)), BodyHandlers.ofString());
    }

    private HttpResponse<String> release(int replica, String leaseId) throws Exception {
        return post(
                replica,
                "/v2/locks/release",
                "{\"leases\":[{\"namespace\":\"n\",\"name\":\"lock\",\"lease_id\":\"lease-id-" + leaseId + "\"}]}");
    }

    private void awaitQueue(int length) {
        Await.until(length + " wait", () -> {
            try {
                String look = HTTP.send(
                                HttpRequest.newBuilder(URI.create(address(0) + "/v2/lock?namespace=n&name=lock"))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                return Pattern.compile("\"position\":").matcher(look).results().count() == length;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static long token(HttpResponse<String> granted) {
        assertThat(granted.statusCode()).as(granted.body()).isEqualTo(200);
        Matcher token = Pattern.compile("\"fencing_token\":\\s*\"?(\\d+)").matcher(granted.body());
        assertThat(token.find()).isTrue();
        return Long.parseLong(token.group(1));
    }

    @Test
    @DisplayName("waiters on both are served in the order they came, whichever replica releases")
    void waitersOnBoth() throws Exception {
        long last = token(post(0, "/v2/locks/acquire", asking("holder", 0)));
        List<CompletableFuture<HttpResponse<String>>> waiters = new ArrayList<>();
        List<String> names = List.of("one", "two", "three", "four");
        for (int i = 0; i < names.size(); i++) {
            waiters.add(wait((i + 1) % 2, names.get(i)));
            awaitQueue(i + 1);
        }
        assertThat(post(1, "/v2/locks/acquire", asking("late", 0)).statusCode()).isEqualTo(423);
        String holder = "holder";
        for (int i = 0; i < names.size(); i++) {
            assertThat(waiters.subList(i, names.size())).noneMatch(CompletableFuture::isDone);
            assertThat(release(i % 2, holder).body()).contains("released");
            long token = token(waiters.get(i).get(60, TimeUnit.SECONDS));
            assertThat(token).isGreaterThan(last);
            last = token;
            holder = names.get(i);
        }
    }

    @Test
    @DisplayName(
            "acquire on one, renew on the other, release on the first, through /v1 too: never falsely busy or lost")
    void anyReplica() throws Exception {
        for (int round = 0; round < 20; round++) {
            int first = round % 2;
            token(post(first, "/v2/locks/acquire", asking("round-" + round, 0)));
            assertThat(release(1 - first, "round-" + round).body()).contains("released");
        }
        String body = "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}";
        assertThat(post(0, "/v1/team/lock/nightly/acquire", body).statusCode()).isEqualTo(200);
        assertThat(post(1, "/v1/team/lock/nightly/acquire", body.replace("pod-1", "pod-2"))
                        .statusCode())
                .isEqualTo(423);
        assertThat(post(1, "/v1/team/lock/nightly/renew", body).statusCode()).isEqualTo(200);
        assertThat(post(0, "/v1/team/lock/nightly/release", "{\"instanceId\":\"pod-1\"}")
                        .statusCode())
                .isEqualTo(200);
    }
}
