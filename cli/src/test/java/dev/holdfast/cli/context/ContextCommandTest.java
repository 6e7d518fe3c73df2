package dev.holdfast.cli.context;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayName("Contexts at a prompt")
@Execution(ExecutionMode.CONCURRENT)
class ContextCommandTest {
    @TempDir
    private Path directory;

    private Result run(Map<String, String> environment, String... args) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOLDFAST_CONTEXT_FILE", directory.resolve("config.yaml").toString());
        return Shell.bare("", all, args);
    }

    private Result run(String... args) {
        return run(Map.of(), args);
    }

    @Test
    @DisplayName("are set, used, shown and removed, and commands go where they say")
    void life() {
        String store = "sqlite:" + directory.resolve("locks.db");
        Result set = run("context", "set", "local", "--store", store, "-N", "team", "--use");
        assertThat(set.code()).as(set.toString()).isZero();
        Result taken = run("acquire", "job", "--lease", "1h", "-o", "name");
        assertThat(taken.code()).as(taken.toString()).isZero();
        assertThat(run("context", "set", "other", "--store", "sqlite:" + directory.resolve("other.db"))
                        .code())
                .isZero();
        assertThat(run("--context", "other", "ls").err()).contains("no file");
        assertThat(new Shell(store).run("ls", "-o", "name").out()).isEqualTo("team:job\n");
        Result listed = run("context", "ls");
        assertThat(listed.out()).contains("*  local", store, "team").contains("   other");
        Result shown = run("context", "show");
        assertThat(shown.out()).contains("local", "current-context in", store, "config.yaml:");
        Result unknown = run("context", "use", "lcal");
        assertThat(unknown.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(unknown.err()).contains("There is no context 'lcal'", "Did you mean 'local'?");
        Result removed = run("context", "rm", "local");
        assertThat(removed.out()).contains("removed. None is in use now");
        assertThat(run(Map.of("HOLDFAST_STORE", store), "context", "use", "other")
                        .err())
                .contains("HOLDFAST_STORE is set here and takes precedence");
    }

    @Test
    @DisplayName("count for every command when they are named before it")
    void beforeTheCommand() {
        run("context", "set", "local", "--store", "sqlite:" + directory.resolve("locks.db"));
        for (String command : List.of(
                "ls",
                "get x",
                "history",
                "watch",
                "state ls",
                "state locks",
                "state show shop prod",
                "guard status",
                "token ls")) {
            Result refused = run(("--context nope " + command).split(" ", -1));
            assertThat(refused.code()).as(command).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).as(command).contains("There is no context 'nope'");
        }
    }

    @Test
    @DisplayName("do not disturb a server that is started beside them")
    void server() {
        Result settings = run(Map.of("HOLDFAST_CONTEXT", "local"), "config", "show");
        assertThat(settings.code()).as(settings.toString()).isZero();
    }

    @Test
    @DisplayName("are all kept, when several are set at once by commands of their own")
    void atOnce() throws Exception {
        int many = 6;
        ExecutorService workers = Executors.newFixedThreadPool(many);
        try {
            List<Future<Result>> all = IntStream.range(0, many)
                    .mapToObj(number ->
                            workers.submit(() -> run("context", "set", "c" + number, "--server", "http://h" + number)))
                    .toList();
            for (Future<Result> one : all) {
                assertThat(one.get().code()).as(one.get().toString()).isZero();
            }
        } finally {
            workers.shutdownNow();
        }
        assertThat(run("context", "ls", "-o", "name").out().lines()).hasSize(many);
    }

    @Test
    @DisplayName("and flags do not take the token of the environment to another server")
    void tokenOfTheEnvironment() throws IOException {
        Map<String, String> token = Map.of("HOLDFAST_TOKEN", "hf_of-env");
        try (Listener mine = new Listener();
                Listener other = new Listener()) {
            Map<String, String> environment = new HashMap<>(token);
            environment.put("HOLDFAST_SERVER", mine.url());
            run(environment, "ls");
            run(environment, "ls", "--server", mine.url());
            run(token, "ls", "--server", mine.url());
            run(environment, "ls", "--server", other.url());
            assertThat(mine.seen).hasSizeGreaterThanOrEqualTo(3).containsOnly("Bearer hf_of-env");
            assertThat(other.seen).isNotEmpty().containsOnly("none");
            Result shown = run(environment, "context", "show", "--server", other.url());
            assertThat(shown.out()).doesNotContain("token");
            assertThat(shown.err()).contains("not used here: HOLDFAST_TOKEN;");
        }
    }

    @Test
    @DisplayName("show their token to their own server only")
    void token() throws IOException {
        Path token = directory.resolve("token");
        Files.writeString(token, "hf_of-mine\n");
        try (Listener mine = new Listener();
                Listener other = new Listener()) {
            run("context", "set", "mine", "--server", mine.url(), "--token-file", token.toString(), "--use");
            run("ls");
            run("ls", "--server", other.url());
            run(Map.of("HOLDFAST_SERVER", other.url()), "ls");
            run(
                    Map.of("HOLDFAST_SERVER", mine.url(), "HOLDFAST_TOKEN", "hf_of-env"),
                    "context",
                    "set",
                    "o",
                    "--server",
                    other.url());
            run(Map.of("HOLDFAST_SERVER", mine.url(), "HOLDFAST_TOKEN", "hf_of-env"), "ls", "--context", "o");
            assertThat(mine.seen).isNotEmpty().containsOnly("Bearer hf_of-mine");
            assertThat(other.seen).hasSizeGreaterThanOrEqualTo(3).containsOnly("none");
            Result moved = run("context", "set", "mine", "--server", other.url());
            assertThat(moved.code()).as(moved.toString()).isZero();
            assertThat(directory.resolve("config.yaml")).content().doesNotContain("token");
        }
    }

    /** Somebody at a port, who writes down what is shown. */
    private static final class Listener implements AutoCloseable {
        private final HttpServer server;
        private final List<String> seen = new CopyOnWriteArrayList<>();

        Listener() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                seen.add(Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                        .orElse("none"));
                exchange.sendResponseHeaders(401, -1);
                exchange.close();
            });
            server.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
