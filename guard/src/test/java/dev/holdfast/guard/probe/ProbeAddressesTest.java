package dev.holdfast.guard.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A probe of a name")
final class ProbeAddressesTest {
    private static final Duration PLENTY = Duration.ofSeconds(15);
    private static final String OK = "HTTP/1.1 200 OK\r\n\r\n";

    private static HttpProber resolving(HttpProber.NameResolver names) {
        return new HttpProber(AddressPolicy.standard(), TrustedCertificates.standard(), names, 256, 1000);
    }

    private static InetAddress[] addresses(String... texts) throws UnknownHostException {
        InetAddress[] found = new InetAddress[texts.length];
        for (int i = 0; i < texts.length; i++) {
            found[i] = InetAddress.getByName(texts[i]);
        }
        return found;
    }

    @Test
    @DisplayName("asks what it means once, and goes to what was checked")
    void rebinding() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        // A name that means this machine when it is checked, and the metadata service when it is asked again.
        HttpProber.NameResolver names =
                host -> asked.getAndIncrement() == 0 ? addresses("127.0.0.1") : addresses("169.254.169.254");
        try (AppServer app = AppServer.answering("HTTP/1.1 405 No\r\n\r\n");
                HttpProber prober = resolving(names)) {
            ProbeResult found = Await.get(prober.probe(app.url("app.test"), PLENTY));

            assertThat(found.httpCode()).hasValue(405);
            assertThat(asked).hasValue(1);
            assertThat(app.requests)
                    .hasSize(2)
                    .allSatisfy(request -> assertThat(request).contains("\r\nHost: app.test:" + app.port() + "\r\n"));
        }
    }

    @Test
    @DisplayName("connects nowhere if it also means a forbidden address")
    void partlyForbidden() throws Exception {
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = resolving(host -> addresses("127.0.0.1", "169.254.169.254"))) {
            ProbeResult found = Await.get(prober.probe(app.url("app.test"), PLENTY));

            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(found.detail()).contains("169.254.169.254").contains("never probed");
            assertThat(app.connections).hasValue(0);
        }
    }

    @Test
    @DisplayName("tries its next address when one refuses")
    void nextAddress() throws Exception {
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = resolving(host -> addresses("127.0.0.2", "127.0.0.1"))) {
            assertThat(Await.get(prober.probe(app.url("app.test"), PLENTY)).status())
                    .isEqualTo(ProbeStatus.UP);
        }
    }

    @Test
    @DisplayName("is refused only if all of its addresses refuse")
    void allRefuse() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.3"));
                HttpProber all = resolving(host -> addresses("127.0.0.2", "127.0.0.4"));
                HttpProber first = resolving(host -> addresses("127.0.0.3", "127.0.0.2"));
                HttpProber last = resolving(host -> addresses("127.0.0.2", "127.0.0.3"))) {
            List<SocketChannel> crowd = fill(full);
            URI url = URI.create("http://app.test:" + full.getLocalPort() + "/");
            Duration some = Duration.ofSeconds(1);

            assertThat(Await.get(all.probe(url, PLENTY)).status()).isEqualTo(ProbeStatus.REFUSED);
            assertThat(Await.get(first.probe(url, some)).status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(Await.get(last.probe(url, some)).status()).isEqualTo(ProbeStatus.UNKNOWN);
            for (SocketChannel each : crowd) {
                each.close();
            }
        }
    }

    /** Until the system itself takes no more connections for a server that accepts none: from then on it is silent. */
    private static List<SocketChannel> fill(ServerSocket server) throws Exception {
        List<SocketChannel> crowd = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.connect(server.getLocalSocketAddress());
            crowd.add(channel);
        }
        Await.until("some are connected", () -> {
            try {
                return crowd.get(0).finishConnect();
            } catch (IOException e) {
                return false;
            }
        });
        return crowd;
    }

    @Test
    @DisplayName("that has too many addresses to try is not refused by those that were tried")
    void tooMany() throws Exception {
        String[] many = new String[9];
        for (int i = 0; i < many.length; i++) {
            many[i] = "127.0.0." + (i + 2);
        }
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = resolving(host -> addresses(many))) {
            assertThat(Await.get(prober.probe(app.url("app.test"), PLENTY)).status())
                    .isEqualTo(ProbeStatus.UNKNOWN);
        }
    }

    @Test
    @DisplayName("nobody knows is unknown")
    void noSuchName() {
        try (HttpProber prober = resolving(host -> {
            throw new UnknownHostException(host);
        })) {
            ProbeResult found = Await.get(prober.probe(URI.create("http://nowhere.test/"), PLENTY));

            assertThat(found.status()).isEqualTo(ProbeStatus.UNKNOWN);
            assertThat(found.detail()).isEqualTo("no address is known for 'nowhere.test'");
        }
    }

    @Test
    @DisplayName("may have an underscore in it, as container networks have")
    void underscore() throws Exception {
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = resolving(host -> addresses("127.0.0.1"))) {
            assertThat(Await.get(prober.probe(app.url("my_app"), PLENTY)).status())
                    .isEqualTo(ProbeStatus.UP);
            assertThat(app.requests.get(0)).contains("Host: my_app:" + app.port());
        }
    }

    @Test
    @DisplayName("keeps its deadline while name servers are silent, and probes of addresses go on meanwhile")
    void silentNameServers() throws Exception {
        CountDownLatch silence = new CountDownLatch(1);
        HttpProber.NameResolver names = host -> {
            if (host.endsWith(".test")) {
                try {
                    silence.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new UnknownHostException(host);
            }
            return addresses(host);
        };
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = resolving(names)) {
            List<CompletableFuture<ProbeResult>> stuck = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                stuck.add(prober.probe(app.url("app" + i + ".test"), Duration.ofSeconds(1)));
            }
            assertThat(Await.get(prober.probe(app.url(), PLENTY)).status()).isEqualTo(ProbeStatus.UP);
            for (CompletableFuture<ProbeResult> each : stuck) {
                assertThat(Await.get(each).detail()).contains("resolving 'app");
            }
            silence.countDown();
        }
    }
}
