package dev.holdfast.cli.languages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.Main;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients in other languages: their own tests, and what every client must do, against a server. */
class ClientsTest {
    private static final Path CLIENTS = Path.of("../clients").toAbsolutePath().normalize();
    /** What a python that is too old for the client ends with. */
    private static final int TOO_OLD = 3;

    @TempDir
    static Path directory;

    private static ServerProcess server;

    @BeforeAll
    static void serve() throws InterruptedException {
        // Requests wait for a second at most, so that waiters have to ask again.
        server = CliServer.start(directory, Map.of(), "--store=memory:", "--server.limits.long-poll=1s")
                .ready();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    @DisplayName("Python")
    void python() {
        Language.assumeInstalled("python3");
        Assumptions.assumeTrue(
                exit("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9) and " + TOO_OLD + ")") != TOO_OLD,
                "the client needs Python 3.9");
        passes("python", "python3", "-m", "unittest", "discover", "-s", "tests");
    }

    private static void passes(String client, String... words) {
        try (JavaProcess tests = started(CLIENTS.resolve(client), words)) {
            assertThat(tests.exit()).as(tests.output()).isZero();
        }
    }

    private static int exit(String... words) {
        try (JavaProcess process = started(directory, words)) {
            return process.exit();
        }
    }

    private static JavaProcess started(Path place, String... words) {
        return JavaProgram.of(Main.class)
                .without("HOLDFAST_")
                .with(Map.of("HOLDFAST_SERVER", server.url(), "PYTHONDONTWRITEBYTECODE", "1"))
                .in(place)
                .merged()
                .start(List.of(words));
    }
}
