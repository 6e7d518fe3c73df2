package dev.holdfast.guard.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Many probes")
final class ManyProbesTest {
    private static final Duration PLENTY = Duration.ofSeconds(15);
    private static final String OK = "HTTP/1.1 200 OK\r\n\r\n";

    private static List<CompletableFuture<ProbeResult>> probes(
            HttpProber prober, AppServer app, int count, Duration timeout) {
        return IntStream.range(0, count)
                .mapToObj(i -> prober.probe(app.url(), timeout))
                .toList();
    }

    private static HttpProber with(int places, int waiting) {
        return new HttpProber(
                AddressPolicy.standard(), TrustedCertificates.standard(), InetAddress::getAllByName, places, waiting);
    }

    @Test
    @DisplayName("of silent apps, 300 at once, all end at their one deadline")
    void silentApps() throws Exception {
        Duration timeout = Duration.ofSeconds(2);
        try (AppServer app = AppServer.blackHole();
                HttpProber prober = new HttpProber(AddressPolicy.standard())) {
            long began = System.nanoTime();
            List<ProbeResult> found =
                    probes(prober, app, 300, timeout).stream().map(Await::get).toList();
            Duration took = Duration.ofNanos(System.nanoTime() - began);

            assertThat(found).allSatisfy(each -> assertThat(each.status()).isEqualTo(ProbeStatus.UNKNOWN));
            // One after the other would take ten minutes, in two rounds four seconds at least.
            assertThat(took).isGreaterThanOrEqualTo(timeout).isLessThan(Duration.ofSeconds(15));
        }
    }

    @Test
    @DisplayName("of apps that answer, 300 at once, all get their answer")
    void answeringApps() throws Exception {
        try (AppServer app = AppServer.answering(OK);
                HttpProber prober = new HttpProber(AddressPolicy.standard())) {
            assertThat(probes(prober, app, 300, PLENTY).stream().map(Await::get))
                    .allSatisfy(each -> assertThat(each.status()).isEqualTo(ProbeStatus.UP));
        }
    }

    @Test
    @DisplayName("wait for a place within their own deadlines, and a place is never lost")
    void waitForAPlace() throws Exception {
        Semaphore answers = new Semaphore(0);
        try (AppServer slow = answeringWhenTold(answers);
                AppServer silent = AppServer.blackHole();
                AppServer app = AppServer.answering(OK);
                HttpProber prober = with(2, 100)) {
            for (int round = 0; round < 5; round++) {
                List<CompletableFuture<ProbeResult>> inside = probes(prober, slow, 2, PLENTY);
                CompletableFuture<ProbeResult> impatient = prober.probe(app.url(), Duration.ofMillis(20));
                CompletableFuture<ProbeResult> patient = prober.probe(app.url(), PLENTY);

                assertThat(Await.get(impatient).detail()).contains("waiting for a place");
                assertThat(patient).isNotDone();
                answers.release(2);
                assertThat(inside.stream().map(Await::get))
                        .allSatisfy(each -> assertThat(each.status()).isEqualTo(ProbeStatus.UP));
                assertThat(Await.get(patient).status()).isEqualTo(ProbeStatus.UP);
                probes(prober, silent, 2, Duration.ofMillis(50)).forEach(Await::get);
            }
        }
    }

    @Test
    @DisplayName("are turned away when too many wait, without taking a place from anyone")
    void tooManyWait() throws Exception {
        Semaphore answers = new Semaphore(0);
        try (AppServer slow = answeringWhenTold(answers);
                AppServer app = AppServer.answering(OK);
                HttpProber prober = with(1, 1)) {
            CompletableFuture<ProbeResult> inside = prober.probe(slow.url(), PLENTY);
            CompletableFuture<ProbeResult> waiting = prober.probe(app.url(), PLENTY);
            for (int i = 0; i < 10; i++) {
                assertThat(Await.get(prober.probe(app.url(), PLENTY)).detail()).contains("too many probes");
            }

            assertThat(app.connections).hasValue(0);
            answers.release();
            assertThat(Await.get(inside).status()).isEqualTo(ProbeStatus.UP);
            assertThat(Await.get(waiting).status()).isEqualTo(ProbeStatus.UP);
            assertThat(Await.get(prober.probe(app.url(), PLENTY)).status()).isEqualTo(ProbeStatus.UP);
        }
    }

    private static AppServer answeringWhenTold(Semaphore answers) throws Exception {
        return AppServer.that((socket, request) -> {
            answers.acquire();
            socket.getOutputStream().write(OK.getBytes(StandardCharsets.US_ASCII));
        });
    }
}
