package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.audit.AuditConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("what a server opened")
class ClosingStepsTest {
    private final ClosingSteps opened = new ClosingSteps();
    private final List<String> closed = new ArrayList<>();

    private Runnable fails(String name) {
        return () -> {
            closed.add(name);
            throw new IllegalStateException(name);
        };
    }

    @Test
    @DisplayName("is closed newest first, once, whatever fails on the way; the first failure is thrown with the others")
    void closes() {
        opened.closing(() -> closed.add("a"));
        opened.closing(fails("b"));
        Runnable other = opened.closing(() -> closed.add("of somebody else"));
        opened.closing(() -> closed.add("c"));
        opened.closing(fails("d"));
        opened.handedOver(other);
        assertThatThrownBy(opened::close)
                .hasMessage("d")
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .satisfies(it -> assertThat(it).hasMessage("b")));
        opened.close();
        assertThat(closed).containsExactly("d", "c", "b", "a");
    }

    @Test
    @DisplayName(
            "is closed again if the server cannot start: the audit file is wrong, a route is there twice, the port is taken")
    void notStarted(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        WatchedStore unaudited = new WatchedStore(MemoryStore.exclusive());
        ServerOptions config =
                TestServer.auditedBy(AuditConfig.of(Optional.of(file.resolve("audit.log")), false, false), "memory:");
        assertThatThrownBy(() -> TestServer.start(config, unaudited)).hasMessageContaining("audit");
        assertThat(unaudited.called()).contains("close");

        WatchedStore twice = new WatchedStore(MemoryStore.exclusive());
        try (TestServer running = TestServer.onMemory()) {
            List<Route> again = running.server.routes();
            assertThatThrownBy(() -> HoldfastServer.start(TestServer.OPEN, twice, again))
                    .isInstanceOf(RuntimeException.class);
            assertThat(twice.timesCalled("close")).isEqualTo(1);

            WatchedStore noPort = new WatchedStore(MemoryStore.exclusive());
            ServerOptions taken = TestServer.OPEN.on(running.server.port(), "memory:");
            assertThatThrownBy(() -> TestServer.start(taken, noPort)).hasMessageContaining("Cannot listen");
            assertThat(noPort.timesCalled("close")).isEqualTo(1);
        }
    }
}
