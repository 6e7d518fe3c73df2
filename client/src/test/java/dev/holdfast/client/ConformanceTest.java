package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What every client must do, in whatever language: clients/conformance/conformance.json. Its cases mostly wait, so all run at once. */
class ConformanceTest {
    private static final Path SCRIPT = Path.of("../clients/conformance/conformance.json");
    /** Each wait within a case has a limit of its own. */
    private static final long LIMIT_MINUTES = 5;

    @TempDir
    static Path directory;

    private static HoldfastServer server;
    private static ExecutorService threads;

    @BeforeAll
    static void serve() {
        // Requests wait for a second at most, so that waiters have to ask again.
        List<String> flags =
                List.of("--port=0", "--store=memory:", "--metrics.enabled=false", "--server.limits.long-poll=1s");
        server = HoldfastServer.start(ServerSetup.of(Settings.load(flags, Map.of(), directory)));
        threads = Executors.newCachedThreadPool();
    }

    @AfterAll
    static void end() {
        threads.shutdownNow();
        server.close();
    }

    @TestFactory
    @DisplayName("the client does what every client must do")
    Stream<DynamicTest> cases() throws IOException {
        Json.Obj script = (Json.Obj) Json.parse(Files.readAllBytes(SCRIPT));
        assertThat(script.number("version")).contains(1L);
        List<DynamicTest> tests = new ArrayList<>();
        for (Json.Obj one : script.objects("cases")) {
            int number = tests.size();
            CompletableFuture<Void> run = CompletableFuture.runAsync(
                    () -> {
                        try (ConformanceCase running =
                                new ConformanceCase(script, one, number, server.port(), threads)) {
                            running.run();
                        }
                    },
                    threads);
            String name = one.text("name").orElseThrow();
            tests.add(DynamicTest.dynamicTest(name, () -> run.get(LIMIT_MINUTES, TimeUnit.MINUTES)));
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }
}
