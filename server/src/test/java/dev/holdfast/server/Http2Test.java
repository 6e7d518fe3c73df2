package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.testkit.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients choose HTTP/2 by themselves as soon as there are certificates: many requests on one connection, no headers of its own. */
@DisplayName("over HTTP/2")
class Http2Test {
    private static final String SECRET = "hf_some-secret-0123456789";
    private static final Limits QUICK = new Limits(
            16 << 10,
            4 << 20,
            1 << 20,
            8 << 10,
            16 << 10,
            16,
            100,
            50,
            10_000,
            100_000,
            Duration.ofSeconds(75),
            Duration.ofSeconds(1));

    @TempDir
    static Path directory;

    private static ServerOptions.Tls files;

    private HttpClient http;
    private TestServer server;

    @BeforeAll
    static void certificate() throws Exception {
        files = new ServerOptions.Tls(
                directory.resolve("tls.crt"), directory.resolve("tls.key"), Duration.ofMinutes(1), Optional.empty());
        QuickCertificates.ec("localhost").pem().writeTo(files.certificate(), files.key());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void start(Setup setup) throws Exception {
        server = setup.tls(files).start();
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(TlsServerTest.trusting())
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private String authority() {
        return "127.0.0.1:" + server.server.port();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("https://" + authority() + path))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpRequest.Builder posting(String path, String json) {
        return to(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
    }

    private CompletableFuture<Answer> send(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofString()).thenApply(response -> {
            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.headers().firstValue("Connection"))
                    .as("not of this version")
                    .isEmpty();
            return new Answer(response);
        });
    }

    private static String asking(String leaseId, int wait) {
        return "{" + Client.key("l") + ",\"lease_id\":\"" + leaseId + "\",\"lease_ms\":60000,\"wait_ms\":" + wait + "}";
    }

    private Answer acquire(String leaseId) {
        return Await.get(send(posting("/v2/locks/acquire", asking(leaseId, 0))));
    }

    private Answer release(String leaseId) {
        return Await.get(send(posting(
                "/v2/locks/release", "{\"leases\":[{" + Client.key("l") + ",\"lease_id\":\"" + leaseId + "\"}]}")));
    }

    @Test
    @DisplayName("locks are taken, waited for and released; a page of the server itself may do so")
    void locks() throws Exception {
        start(new Setup());
        assertThat(acquire("lease-of-a").status()).isEqualTo(200);
        assertThat(acquire("lease-of-b").status()).isEqualTo(423);
        CompletableFuture<Answer> waiting = send(posting("/v2/locks/acquire", asking("lease-of-b", 20_000)));
        Await.until("it waits", () -> server.server.engine().waitingCallers() == 1);
        assertThat(Client.outcome(release("lease-of-a"))).isEqualTo("released");
        assertThat(Await.get(waiting).status()).isEqualTo(200);
        assertThat(Client.outcome(release("lease-of-b"))).isEqualTo("released");

        HttpRequest.Builder own = posting("/v2/locks/acquire", asking("lease-of-c", 0));
        assertThat(Await.get(send(own.header("Origin", "https://" + authority())))
                        .status())
                .isEqualTo(200);
        HttpRequest.Builder foreign = posting("/v2/locks/acquire", asking("lease-of-d", 0));
        assertThat(Await.get(send(foreign.header("Origin", "https://elsewhere.example")))
                        .status())
                .isEqualTo(403);
    }

    @Test
    @DisplayName("a name that somebody else points at a server for this machine only is refused")
    void foreignHost() throws Exception {
        start(new Setup());
        Vertx vertx = Vertx.vertx();
        try {
            assertThat(statusAs(vertx, "evil.example")).isEqualTo(421);
            assertThat(statusAs(vertx, "localhost")).isEqualTo(200);
        } finally {
            Await.get(vertx.close().toCompletionStage());
        }
    }

    /** What the server answers under this name. */
    private int statusAs(Vertx vertx, String host) {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2);
        RequestOptions request = new RequestOptions()
                .setServer(SocketAddress.inetSocketAddress(server.server.port(), "127.0.0.1"))
                .setHost(host)
                .setPort(server.server.port())
                .setURI("/v2/locks");
        io.vertx.core.http.HttpClient client = vertx.createHttpClient(options);
        try {
            return Await.get(client.request(request)
                    .compose(HttpClientRequest::send)
                    .map(response -> {
                        assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
                        return response.statusCode();
                    })
                    .toCompletionStage());
        } finally {
            Await.get(
                    client.close().toCompletionStage()); // one that nobody refers to any more closes itself at any time
        }
    }

    @Test
    @DisplayName("what is refused early is answered, and the connection goes on")
    void early() throws Exception {
        TokenEntry token = TokenEntry.of("one", SECRET, Grants.everywhere(Role.LOCK));
        start(new Setup().auth(new AuthConfig(false, Optional.empty(), List.of(token))));
        String large = "{\"x\":\"" + "x".repeat(1 << 20) + "\"}";
        for (int i = 0; i < 3; i++) {
            assertThat(Await.get(send(posting("/v2/locks/acquire", asking("lease-of-a", 0))))
                            .status())
                    .isEqualTo(401);
            assertThat(Await.get(send(to("/nothing"))).status()).isEqualTo(404);
            assertThat(Await.get(send(posting("/v2/locks", large))).status()).isEqualTo(405);
            HttpRequest.Builder known = posting("/v2/locks/acquire", large).header("Authorization", "Bearer " + SECRET);
            assertThat(Await.get(send(known)).status()).isEqualTo(413);
        }
        assertThat(Await.get(send(to("/metrics"))).body()).as("all on one").contains("holdfast_server_connections 1.0");
    }

    @Test
    @DisplayName("events are told as they happen")
    void events() throws Exception {
        start(new Setup());
        HttpResponse<InputStream> stream =
                Await.get(http.sendAsync(to("/v2/events").build(), BodyHandlers.ofInputStream()));
        assertThat(stream.version()).isEqualTo(HttpClient.Version.HTTP_2);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("retry:"); // from now on nothing is missed
            acquire("lease-of-a");
            CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> lines.lines()
                    .filter(line -> line.startsWith("event: "))
                    .findFirst()
                    .orElse("the end"));
            assertThat(Await.get(first)).isEqualTo("event: lock.acquired");
        }
    }

    @Test
    @DisplayName("a body that does not come is cut off although others of its connection come, and only it")
    void slowBodies() throws Exception {
        start(new Setup().limits(QUICK));
        acquire("lease-of-a");
        CompletableFuture<Answer> waiting = send(posting("/v2/locks/acquire", asking("lease-of-b", 15_000)));
        try (SubmissionPublisher<ByteBuffer> one = new SubmissionPublisher<>();
                SubmissionPublisher<ByteBuffer> two = new SubmissionPublisher<>()) {
            List<CompletableFuture<Answer>> slow = List.of(
                    send(to("/v2/locks/acquire").POST(BodyPublishers.fromPublisher(one))),
                    send(to("/v2/locks/acquire").POST(BodyPublishers.fromPublisher(two))));
            one.submit(StandardCharsets.US_ASCII.encode("{"));
            two.submit(StandardCharsets.US_ASCII.encode("{"));
            Await.until("both are cut", () -> {
                Await.get(send(to("/v2/locks"))); // comes to its end, and says nothing about the others
                return slow.stream().allMatch(CompletableFuture::isDone);
            });
            assertThat(slow).allSatisfy(body -> assertThat(body).isCompletedExceptionally());
        }
        assertThat(waiting).isNotDone();
        release("lease-of-a");
        assertThat(Await.get(waiting).status()).isEqualTo(200);
        assertThat(Await.get(send(to("/metrics"))).body())
                .contains("holdfast_server_rejected_total{reason=\"slow\"} 2.0")
                .contains("holdfast_server_connections 1.0");
    }
}
