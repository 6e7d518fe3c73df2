package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** Real TLS, with certificates of real clients. */
@DisplayName("a server that knows clients by their certificates")
class MutualTlsTest {
    private static final String TOKEN = "hf_of-the-header-0123456789";

    @TempDir
    static Path directory;

    private static Path server;
    private static ClientCerts ours;
    private static ClientCerts strangers;
    private static SSLContext ci;
    private static SSLContext spiffe;
    private static SSLContext unnamed;
    private static SSLContext posing;
    private static SSLContext nobody;

    private final Path ca = directory.resolve("clients-" + UUID.randomUUID() + ".pem");
    private Optional<TestServer> running = Optional.empty();

    @BeforeAll
    static void certificates() throws Exception {
        server = directory.resolve("server.crt");
        QuickCertificates.ec("server").pem().writeTo(server, directory.resolve("server.key"));
        ours = new ClientCerts("ours");
        strangers = new ClientCerts("strangers");
        ci = ours.client("CN=ci,O=Acme", List.of(), server);
        spiffe = ours.client("CN=x", List.of("uri:spiffe://acme/ns/prod/sa/shop", "dns:shop.acme"), server);
        unnamed = ours.client("CN=somebody", List.of(), server);
        posing = strangers.client("CN=ci,O=Acme", List.of(), server);
        nobody = ClientCerts.nobody(server);
    }

    @AfterEach
    void close() {
        running.ifPresent(TestServer::close);
    }

    private void start(boolean required) throws Exception {
        Files.writeString(ca, ours.certificate());
        AuthConfig auth = new AuthConfig(
                false,
                Optional.empty(),
                List.of(TokenEntry.of("bearer", TOKEN, Grants.in("n", Role.LOCK))),
                List.of(
                        subject("CN=ci,O=*", Optional.of("builder"), Optional.of("builds")),
                        subject("CN=brief*", Optional.empty(), Optional.empty()),
                        san("spiffe://acme/ns/*/sa/shop")));
        running = Optional.of(new Setup()
                .auth(auth)
                .tls(new ServerOptions.Tls(
                        server,
                        directory.resolve("server.key"),
                        Duration.ofMillis(100),
                        Optional.of(new ServerOptions.ClientCertificateOptions(ca, required))))
                .start());
    }

    private static CertificateEntry subject(String pattern, Optional<String> id, Optional<String> group) {
        return new CertificateEntry(
                Optional.of(new Glob(pattern)), Optional.empty(), id, Grants.in("n", Role.LOCK), group);
    }

    private static CertificateEntry san(String pattern) {
        return new CertificateEntry(
                Optional.empty(),
                Optional.of(new Glob(pattern)),
                Optional.empty(),
                Grants.in("n", Role.LOCK),
                Optional.empty());
    }

    private static HttpClient http(SSLContext context) {
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + running.orElseThrow().server.port() + path));
    }

    private HttpResponse<String> acquire(HttpClient client, Optional<String> token) throws Exception {
        HttpRequest.Builder request = request("/v2/locks/acquire")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(
                        "{\"namespace\":\"n\",\"name\":\"l\",\"mode\":\"shared\",\"lease_ms\":60000}"));
        token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private String owner(SSLContext context) throws Exception {
        HttpResponse<String> answer = acquire(http(context), Optional.empty());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.of(answer.body()).get("owner").text();
    }

    @SideBySide
    @DisplayName("names them by subject or alternative name; a header wins; others get in only with one")
    void known() throws Exception {
        start(false);
        assertThat(owner(ci)).isEqualTo("builder");
        assertThat(owner(spiffe)).isEqualTo("spiffe://acme/ns/prod/sa/shop");

        HttpResponse<String> header = acquire(http(ci), Optional.of(TOKEN));
        assertThat(Json.of(header.body()).get("owner").text()).isEqualTo("bearer");
        assertThat(acquire(http(ci), Optional.of("hf_wrong")).statusCode())
                .as("a wrong header is not mended by a certificate")
                .isEqualTo(401);

        HttpResponse<String> other = acquire(http(unnamed), Optional.empty());
        assertThat(other.statusCode()).isEqualTo(401);
        assertThat(other.body()).contains("auth.certificates");
        assertThat(acquire(http(nobody), Optional.empty()).statusCode()).isEqualTo(401);
        assertThat(acquire(http(nobody), Optional.of(TOKEN)).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> acquire(http(posing), Optional.empty()))
                .as("of an authority that is not ours")
                .isInstanceOf(IOException.class);
    }

    @SideBySide
    @DisplayName("that must show one: who has none is turned away, with a good token too")
    void required() throws Exception {
        start(true);
        assertThat(owner(ci)).isEqualTo("builder");
        assertThatThrownBy(() -> acquire(http(nobody), Optional.of(TOKEN))).isInstanceOf(IOException.class);
    }

    @SideBySide
    @DisplayName("refuses one that expires while its connection is open")
    void expires() throws Exception {
        start(false);
        QuickCertificates brief = ours.signed("CN=brief", Instant.now().plusSeconds(8));
        Instant end = brief.certificate().getNotAfter().toInstant();
        HttpClient connected = http(ClientCerts.client(brief, server));
        assertThat(acquire(connected, Optional.empty()).statusCode()).isEqualTo(200);
        while (Instant.now().isBefore(end)) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        HttpResponse<String> last = acquire(connected, Optional.empty());
        assertThat(last.statusCode()).as(last.body()).isEqualTo(401);
        assertThat(last.body()).contains("expired at " + end);
    }

    @SideBySide
    @DisplayName("follows the file of authorities, also for connections that are open")
    void reload() throws Exception {
        start(false);
        HttpClient connected = http(ci);
        assertThat(acquire(connected, Optional.empty()).statusCode()).isEqualTo(200);
        Files.writeString(ca, "no certificate");
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(acquire(connected, Optional.empty()).statusCode())
                .as("a wrong file changes nothing")
                .isEqualTo(200);
        assertThat(owner(ci)).isEqualTo("builder");

        Files.writeString(ca, strangers.certificate());
        Await.until("the other authority counts", () -> {
            try {
                return owner(posing).equals("builder");
            } catch (IOException e) {
                return false;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        HttpResponse<String> late = acquire(connected, Optional.empty());
        assertThat(late.statusCode()).as(late.body()).isEqualTo(401);
        assertThat(late.body()).contains("server.tls.client-ca");
        assertThatThrownBy(() -> acquire(http(ci), Optional.empty())).isInstanceOf(IOException.class);
    }
}
