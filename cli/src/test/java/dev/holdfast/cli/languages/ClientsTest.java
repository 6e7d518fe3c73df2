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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The clients in other languages: their own tests, and what every client must do, against a server. */
@Execution(ExecutionMode.CONCURRENT)
class ClientsTest {
    private static final Path CLIENTS = Path.of("../clients").toAbsolutePath().normalize();
    /** What a python that is too old for the client ends with. */
    private static final int TOO_OLD = 3;

    private static final int GO_MINOR = 19;
    private static final int NODE_MAJOR = 18;

    /** Go fetches nothing, and keeps what it has compiled where the build keeps its own. */
    private static final Map<String, String> OFFLINE = Map.of(
            "GOPROXY", "off",
            "GOFLAGS", "-mod=mod",
            "GOTOOLCHAIN", "local",
            "GOCACHE", Path.of("target/go-cache").toAbsolutePath().toString());

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

    @Test
    @DisplayName("Go")
    void go() {
        Language.assumeInstalled("go");
        assumeAtLeast(GO_MINOR, "Go 1.", said("go", "env", "GOVERSION").replaceFirst("^go1\\.(\\d+).*", "$1"));
        assertThat(passes("go", "go", "test", "-count=1", "-v", "./..."))
                .contains("--- PASS: TestConformance/a_free_lock");
    }

    @Test
    @DisplayName("Node")
    void node() {
        Language.assumeInstalled("node");
        assumeAtLeast(NODE_MAJOR, "Node ", said("node", "-p", "process.versions.node.split('.')[0]"));
        assertThat(passes("node", "node", "--test")).contains("a free lock is granted");
    }

    private static void assumeAtLeast(int least, String language, String version) {
        Assumptions.assumeTrue(
                version.matches("\\d+") && Integer.parseInt(version) >= least,
                "the client needs " + language + least + ", this is " + version);
    }

    private static String said(String... words) {
        try (JavaProcess process = started(directory, words)) {
            assertThat(process.exit()).as(process.output()).isZero();
            return process.output().strip();
        }
    }

    /** What they said. */
    private static String passes(String client, String... words) {
        try (JavaProcess tests = started(CLIENTS.resolve(client), words)) {
            assertThat(tests.exit()).as(tests.output()).isZero();
            return tests.output();
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
                .with(OFFLINE)
                .in(place)
                .merged()
                .start(List.of(words));
    }
}
