package dev.holdfast.server.auth.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.QuickCertificates;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.Certificates;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the files of the server's certificate")
class TlsFilesTest {
    private static final Duration OFTEN = Duration.ofMillis(20);

    @TempDir
    static Path made;

    private static Certificates first;
    private static Certificates second;
    private static Certificates third;
    private static Vertx vertx;

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void make() throws Exception {
        vertx = Vertx.vertx();
        first = QuickCertificates.rsa("first").pem();
        second = QuickCertificates.ec("second").pem();
        third = QuickCertificates.rsa("third").pem();
    }

    @AfterAll
    static void stop() {
        Await.get(vertx.close().toCompletionStage());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable it : open) {
            it.close();
        }
    }

    @Test
    @DisplayName("must exist, be what they should be, and belong together; the message says which is wrong and how")
    void refused() throws IOException {
        assertRefused("certificate file " + certificate() + " does not exist");
        Files.writeString(certificate(), first.certificate());
        assertRefused("TLS key file " + key() + " does not exist");
        Files.writeString(key(), second.key());
        assertRefused("does not belong to the certificate");
        Files.writeString(key(), third.key());
        assertRefused("does not belong to the certificate");
        Files.writeString(certificate(), third.certificate() + first.certificate());
        Files.writeString(key(), first.key());
        assertRefused("must be the first in the file");
        Files.writeString(certificate(), first.certificate() + third.certificate());
        assertRefused("are not a chain");
        Files.writeString(certificate(), first.certificate());
        Files.writeString(key(), first.key().replace("PRIVATE", "ENCRYPTED PRIVATE"));
        assertRefused("is encrypted");
        Files.writeString(key(), "");
        assertRefused("has no private key");
        Files.writeString(key(), first.key().substring(0, 500));
        assertRefused("cannot be read");
        Files.writeString(key(), first.key().substring(0, 500) + "\n-----END PRIVATE KEY-----\n");
        assertRefused("cannot be read");
        Files.writeString(key(), first.key());
        Files.writeString(certificate(), "hello");
        assertRefused("certificate");
        Files.writeString(certificate(), "");
        assertRefused("has no certificate");
        Files.writeString(certificate(), first.certificate().substring(0, 400));
        assertRefused("damaged or incomplete");
        Files.writeString(certificate(), " ".repeat(2_000_000));
        assertRefused("larger than 1 MB");
        Files.delete(certificate());
        Files.createDirectory(certificate());
        assertRefused("cannot be read");
    }

    @Test
    @DisplayName("may be expired, and say so: a server that answers is better than one that does not start")
    void expired() throws Exception {
        Certificates.expired(made, "expired").writeTo(certificate(), key());

        assertThat(opened().expires()).isBefore(Instant.now());
    }

    @Test
    @DisplayName("are offered when both have changed; a half exchanged pair is not, nor the same again")
    void halfWritten() throws Exception {
        first.writeTo(certificate(), key());
        TlsFiles files = opened();
        List<PemKeyCertOptions> offered = new CopyOnWriteArrayList<>();
        files.watch(OFTEN, offered::add);

        Files.writeString(certificate(), second.certificate().substring(0, 300));
        Await.until("damaged", () -> complains(files, "damaged"));
        Files.writeString(certificate(), second.certificate());
        Await.until("half", () -> complains(files, "does not belong"));
        Files.delete(key());
        Await.until("missing", () -> complains(files, "does not exist"));
        assertThat(offered).isEmpty();
        assertThat(files.options().getCertValue().toString()).isEqualTo(first.certificate());

        Files.writeString(key(), second.key());
        Await.until("offered", () -> !offered.isEmpty());
        Await.until("content", () -> files.complaint().isEmpty());
        assertThat(offered).hasSize(1);
        assertThat(files.options()).isEqualTo(offered.get(0));
        assertThat(offered.get(0).getKeyValue().toString()).isEqualTo(second.key());

        first.writeTo(certificate(), key());
        Await.until("offered again", () -> offered.size() == 2);
    }

    @Test
    @DisplayName("are offered again if the server could not take them")
    void notTaken() throws Exception {
        first.writeTo(certificate(), key());
        TlsFiles files = opened();
        AtomicInteger offers = new AtomicInteger();
        files.watch(OFTEN, pair -> {
            if (offers.incrementAndGet() < 3) {
                throw new IllegalStateException("not now");
            }
        });

        second.writeTo(certificate(), key());
        Await.until("taken", () -> offers.get() == 3 && files.complaint().isEmpty());
        assertThat(files.options().getKeyValue().toString()).isEqualTo(second.key());
    }

    @Test
    @DisplayName("can be exchanged under a running server: new connections see the new one, open ones go on")
    void live() throws Exception {
        first.writeTo(certificate(), key());
        TlsFiles files = opened();
        ServerSSLOptions ssl = new ServerSSLOptions().setKeyCertOptions(files.options());
        HttpServer server = vertx.createHttpServer(ssl);
        server.requestHandler(request -> request.response().end("here"));
        Await.get(server.listen(0, "127.0.0.1").toCompletionStage());
        open.add(() -> Await.get(server.close().toCompletionStage()));
        files.watch(
                OFTEN,
                pair -> Await.get(server.updateSSLOptions(ssl.copy().setKeyCertOptions(pair))
                        .toCompletionStage()));

        try (SSLSocket old = connect(server.actualPort())) {
            assertThat(nameOf(old)).isEqualTo("CN=first");
            assertThat(get(old)).startsWith("HTTP/1.1 200");

            second.writeTo(certificate(), key());
            Await.until(
                    "new certificate", () -> newcomerSees(server.actualPort()).equals("CN=second"));

            assertThat(get(old)).startsWith("HTTP/1.1 200").endsWith("here");
        }
    }

    private void assertRefused(String message) {
        assertThatThrownBy(this::opened)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("MII");
    }

    private TlsFiles opened() {
        TlsFiles files = new TlsFiles(certificate(), key(), vertx);
        open.add(files);
        return files;
    }

    private static boolean complains(TlsFiles files, String what) {
        return files.complaint().filter(it -> it.contains(what)).isPresent();
    }

    private Path certificate() {
        return directory.resolve("tls.crt");
    }

    private Path key() {
        return directory.resolve("tls.key");
    }

    private static String newcomerSees(int port) {
        try (SSLSocket socket = connect(port)) {
            return nameOf(socket);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static String nameOf(SSLSocket socket) throws IOException {
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    private static String get(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("here")) {
            int c = in.read();
            assertThat(c).isNotNegative();
            answer.append((char) c);
        }
        return answer.toString();
    }

    private static SSLSocket connect(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        socket.startHandshake();
        return socket;
    }

    /** The tests look at the certificate themselves. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
