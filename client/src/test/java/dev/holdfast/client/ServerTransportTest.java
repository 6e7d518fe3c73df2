package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("the line to a server")
@Timeout(120)
class ServerTransportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Test
    @DisplayName("what stood in line until its time was up is not sent any more, and nothing was changed")
    void tooLate() throws Exception {
        Machine machine = new ThreadMachine("test");
        try (Front front = new Front("http://127.0.0.1:1");
                ServerTransport transport = new ServerTransport(ServerConfig.of(front.url()), machine, PATIENCE)) {
            long now = machine.time().nanos();
            List<CompletableFuture<ServerReply>> stuck = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                front.next("/stuck", Front.Fault.HANG);
                stuck.add(transport.send(ServerRequest.of(
                        "a look", "GET", "/stuck", Optional.empty(), now + PATIENCE.toNanos(), PATIENCE)));
            }
            List<CompletableFuture<ServerReply>> late = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                late.add(transport.send(
                        ServerRequest.of("a change", "POST", "/late", Optional.of(new byte[0]), now, PATIENCE)));
            }
            for (CompletableFuture<ServerReply> one : stuck) {
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> Await.get(one));
            }
            for (CompletableFuture<ServerReply> one : late) {
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> Await.get(one))
                        .withMessageContaining("Nothing was changed");
            }
            assertThat(front.seen("/late")).isEmpty();
        } finally {
            machine.close();
        }
    }
}
