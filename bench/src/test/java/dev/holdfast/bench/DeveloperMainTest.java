package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The program of developers")
class DeveloperMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return DeveloperMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    @DisplayName("simulate runs as many seeds as it is asked to")
    void simulate() {
        assertThat(run("simulate", "--seeds", "20")).isZero();
        assertThat(out.toString()).contains("20 runs").contains("all promises held");
    }

    @Test
    @DisplayName("simulate shows one run again, step by step")
    void simulateOne() {
        assertThat(run("simulate", "--seed", "3")).isZero();
        assertThat(out.toString()).contains("asks for").contains("all promises held");
    }

    @Test
    @DisplayName("bench measures what it is asked to")
    void bench() {
        assertThat(run("bench", "core", "--only", "memory", "--seconds", "1")).isZero();
        assertThat(out.toString()).contains("memory");
    }

    @Test
    @DisplayName("soak drives a server of its own, and tells what it saw as JSON")
    void soak() {
        assertThat(run("soak", "--minutes", "0.05", "--rate", "15", "--keys", "5", "--json"))
                .as("%s%s", out, err)
                .isZero();
        assertThat(out.toString())
                .startsWith("{\"server\":\"http://127.0.0.1:")
                .contains("\"failures\":0", "\"problems\":[]", "\"what\":\"heap\"", "\"ok\":true")
                .contains("\"what\":\"versions\",\"unit\":\"count\",\"first\":");
    }

    @Test
    @DisplayName("soak at somebody's server leaves no state and no apps behind")
    void soakElsewhere(@TempDir Path directory) throws Exception {
        ServerOptions options = ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=sqlite:" + directory.resolve("locks.db")), Map.of(), directory));
        try (HoldfastServer server = HoldfastServer.start(options)) {
            String url = "http://127.0.0.1:" + server.port();
            assertThat(run("soak", "--minutes", "0.05", "--rate", "15", "--server", url))
                    .as("%s%s", out, err)
                    .isZero();
            assertThat(out.toString()).contains("files of the store", "not seen from here", "Nothing failed");
            for (String path : List.of("/state", "/api/guard/apps")) {
                HttpRequest request =
                        HttpRequest.newBuilder(URI.create(url + path)).build();
                assertThat(HttpClient.newHttpClient()
                                .send(request, BodyHandlers.ofString())
                                .body())
                        .as(path)
                        .contains("\"items\":[]");
            }
        }
    }

    @Test
    @DisplayName("soak says at once what it cannot do")
    void soakMistakes() {
        assertThat(run("soak", "--minutes", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("soak", "--rate", "5000")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("soak", "--keys", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("soak", "--server", "localhost")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString())
                .contains(
                        "--minutes must be between 0.05 and",
                        "--rate must be",
                        "--keys must be",
                        "--server takes a URL");
        assertThat(run("soak", "--server", "http://127.0.0.1:1")).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("http://127.0.0.1:1 does not answer", "holdfast health");
    }

    @Test
    @DisplayName("nonsense is a usage error with an example")
    void nonsense() {
        assertThat(run("simulate", "--seeds", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--seeds").contains("Example");
        assertThat(run("simulate", "--seeds", "many")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("Usage: holdfast simulate", "Help: holdfast simulate --help");
        assertThat(run("bench", "core", "--seconds", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("bench", "server", "--only", "everything")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString())
                .contains("--seconds must be between 1 and 600", "--only takes [sqlite, memory, parked]");
    }
}
