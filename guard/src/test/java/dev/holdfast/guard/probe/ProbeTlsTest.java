package dev.holdfast.guard.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.Certificates;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A probe over TLS")
final class ProbeTlsTest {
    private static final Duration PLENTY = Duration.ofSeconds(15);

    @TempDir
    static Path directory;

    private static Certificates own;
    private final List<String> askedFor = new CopyOnWriteArrayList<>();
    private AppServer app;

    @BeforeAll
    static void make() throws Exception {
        own = Certificates.ec(directory, "app.test");
    }

    @AfterEach
    void close() throws Exception {
        if (app != null) {
            app.close();
        }
    }

    private ProbeResult probe(SSLContext trust, String host) {
        HttpProber.NameResolver names = name -> new InetAddress[] {InetAddress.getLoopbackAddress()};
        try (HttpProber prober = new HttpProber(AddressPolicy.standard(), trust, names, 10, 10)) {
            return Await.get(prober.probe(URI.create("https://" + host + ":" + app.port() + "/"), PLENTY));
        }
    }

    private void serve(Certificates certificates, String... protocols) throws Exception {
        SSLServerSocket socket = (SSLServerSocket) server(certificates)
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        app = AppServer.on(socket, (line, request) -> {
            ((ExtendedSSLSession) ((SSLSocket) line).getSession())
                    .getRequestedServerNames()
                    .forEach(name -> askedFor.add(new String(name.getEncoded(), ISO_8859_1)));
            String code = request.startsWith("HEAD") ? "405 No" : "200 OK";
            line.getOutputStream()
                    .write(("HTTP/1.1 " + code + "\r\nX: " + "y".repeat(5000) + "\r\n\r\n").getBytes(ISO_8859_1));
        });
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @DisplayName(
            "asks for the host by its name and believes a certificate for that name, at an address it chose itself")
    void good(String protocol) throws Exception {
        serve(own, protocol);
        ProbeResult found = probe(TrustedCertificates.only(own.certificate()), "app.test");

        assertThat(found.detail()).isEqualTo("GET answered 200");
        assertThat(found.status()).isEqualTo(ProbeStatus.UP);
        assertThat(askedFor).isNotEmpty().containsOnly("app.test");
        assertThat(app.requests).allSatisfy(request -> assertThat(request).contains("Host: app.test:" + app.port()));
    }

    @Test
    @DisplayName("believes a certificate for an address where the URL has one")
    void address() throws Exception {
        serve(own);
        assertThat(probe(TrustedCertificates.standardAnd(own.certificate()), "127.0.0.1")
                        .status())
                .isEqualTo(ProbeStatus.UP);
        assertThat(askedFor).isEmpty();
    }

    @Test
    @DisplayName("does not believe a certificate for another host, and sends it no request")
    void otherHost() throws Exception {
        serve(own);
        ProbeResult found = probe(TrustedCertificates.only(own.certificate()), "other.test");

        assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
        assertThat(found.detail()).contains("other.test");
        assertThat(app.requests).allSatisfy(request -> assertThat(request).isEmpty());
    }

    @Test
    @DisplayName("does not believe a certificate that nobody it trusts has signed")
    void selfSigned() throws Exception {
        serve(own);
        ProbeResult found = probe(TrustedCertificates.standard(), "app.test");

        assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
        assertThat(found.detail()).contains("certification path");
    }

    @Test
    @DisplayName("of an app that speaks plain HTTP is unknown")
    void plainServer() throws Exception {
        app = AppServer.that(
                (line, request) -> line.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(ISO_8859_1)));
        HttpProber.NameResolver names = name -> new InetAddress[] {InetAddress.getLoopbackAddress()};
        try (HttpProber prober =
                new HttpProber(AddressPolicy.standard(), TrustedCertificates.standard(), names, 10, 10)) {
            ProbeResult found =
                    Await.get(prober.probe(URI.create("https://app.test:" + app.port() + "/"), Duration.ofSeconds(1)));
            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
        }
    }

    @Test
    @DisplayName("keeps its deadline when the other side stops in the middle of the handshake")
    void silentHandshake() throws Exception {
        app = AppServer.blackHole();
        try (HttpProber prober = new HttpProber(AddressPolicy.standard())) {
            ProbeResult found = Await.get(
                    prober.probe(URI.create("https://127.0.0.1:" + app.port() + "/"), Duration.ofMillis(400)));
            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
        }
    }

    private static SSLContext server(Certificates certificates) throws Exception {
        byte[] key = Base64.getMimeDecoder().decode(certificates.key().replaceAll("-----[A-Z ]+-----", ""));
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(certificates.certificate().getBytes(ISO_8859_1)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "it",
                KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key)),
                new char[0],
                new Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
