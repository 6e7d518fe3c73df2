package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.observe.audit.AuditConfig;
import dev.holdfast.testkit.Await;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a server with certificates")
class TlsServerTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName(
            "speaks TLS only, shows new certificates as soon as their files change, and keeps the old when they are wrong")
    void reloads() throws Exception {
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        QuickCertificates.rsa("first").pem().writeTo(certificate, key);
        ServerOptions.Tls files = new ServerOptions.Tls(certificate, key, Duration.ofMillis(100), Optional.empty());
        Path audit = directory.resolve("audit.log");
        try (TestServer server = new Setup()
                .tls(files)
                .audit(AuditConfig.of(Optional.of(audit), false, false))
                .start()) {
            HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();
            assertThat(live(client, server)).isEqualTo(200);
            assertThat(shown(server)).isEqualTo("CN=first");
            assertThat(metric(client, server))
                    .as("when it ends, for the alert")
                    .isBetween((double) Instant.now().getEpochSecond(), (double)
                            Instant.now().plus(Duration.ofDays(366)).getEpochSecond());
            assertThatThrownBy(() -> Client.of(server).get("/health/live")).isInstanceOf(RuntimeException.class);

            QuickCertificates.ec("second").pem().writeTo(certificate, key);
            Await.until("the new certificate is shown", () -> shown(server).equals("CN=second"));
            assertThat(live(client, server))
                    .as("over the connection opened before")
                    .isEqualTo(200);

            Files.writeString(key, "not a key");
            for (int i = 0; i < 5; i++) {
                assertThat(shown(server)).isEqualTo("CN=second");
            }
            QuickCertificates.rsa("third").pem().writeTo(certificate, key);
            Await.until("the third certificate is shown", () -> shown(server).equals("CN=third"));
        }
        assertThat(Files.readString(audit)).contains("\"event\":\"config.changed\"", "server.tls.certificate");
    }

    private static int live(HttpClient client, TestServer server) throws Exception {
        URI url = URI.create("https://127.0.0.1:" + server.server.port() + "/health/live");
        return client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static double metric(HttpClient client, TestServer server) throws Exception {
        URI url = URI.create("https://127.0.0.1:" + server.server.port() + "/metrics");
        String name = "holdfast_tls_certificate_expiry_timestamp_seconds ";
        return client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Whose certificate a new connection sees. */
    private static String shown(TestServer server) {
        try (SSLSocket socket =
                (SSLSocket) trusting().getSocketFactory().createSocket("127.0.0.1", server.server.port())) {
            SSLSession session = socket.getSession();
            return ((X509Certificate) session.getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        return context;
    }

    /** The certificates are our own; what is tested is which of them is shown. */
    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
