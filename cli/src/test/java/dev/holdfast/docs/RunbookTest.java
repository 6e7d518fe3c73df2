package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/RUNBOOK.md promises. Its commands are typed by {@link ShellInDocsTest}. */
@DisplayName("the runbook, about")
class RunbookTest {
    private static final String ADMIN = "hf_admin-0123456789abcdef";

    @TempDir
    private Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Result as(Path token, Shell shell, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--token-file", token.toString()));
        return shell.run(all.toArray(String[]::new));
    }

    private Path token(String name, String token) throws Exception {
        return Files.writeString(directory.resolve(name), token.strip() + "\n");
    }

    private LocalServer serve(String admin, String... flags) throws Exception {
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "auth.tokens:\n  - {id: ops, sha256: " + TokenSecret.sha256(admin) + ", roles: {'*': [admin]}}\n");
        return LocalServer.start(directory, flags);
    }

    @Test
    @DisplayName(
            "a token that is changed with overlap: both work, the new one goes on with what the old one holds, and the old one ends when it is revoked")
    void overlap() throws Exception {
        Path admin = token("admin", ADMIN);
        try (LocalServer server = serve(ADMIN)) {
            Shell shell = new Shell(server.url());
            Path before = token("before", made(admin, shell, "ci"));
            Result held = as(before, shell, "acquire", "billing:run", "--lease", "5m", "-o", "value=lease_id");
            String lease = held.out().strip();

            Path after = token("after", made(admin, shell, "ci-2"));
            assertThat(as(before, shell, "ls", "-N", "billing").code()).isZero();
            assertThat(as(after, shell, "ls", "-N", "billing").code()).isZero();
            assertThat(as(after, shell, "renew", "billing:run", "--lease-id", lease)
                            .code())
                    .as("of the same group")
                    .isZero();

            assertThat(as(admin, shell, "token", "revoke", "ci").code()).isZero();
            Await.until(
                    "the old one is refused",
                    () -> as(before, shell, "ls", "-N", "billing").code() == ExitCodes.REFUSED);
            assertThat(as(admin, shell, "ls", "-N", "billing").out())
                    .as("what it holds stays held")
                    .contains("billing:run");
            assertThat(as(after, shell, "release", "billing:run", "--lease-id", lease)
                            .code())
                    .isZero();
            assertThat(as(admin, shell, "token", "ls", "-o", "name").out()).isEqualTo("ops\nci-2\n");
        }
    }

    private static String made(Path admin, Shell shell, String id) {
        Result made = as(admin, shell, "token", "create", id, "--role", "billing=lock", "--group", "ci");
        assertThat(made.code()).as(made.toString()).isZero();
        return made.out();
    }

    @Test
    @DisplayName("an only admin token that is lost: an entry in the file of the running server brings the next")
    void lostAdmin() throws Exception {
        try (LocalServer server = serve(ADMIN)) {
            Shell shell = new Shell(server.url());
            Result made = shell.run("token", "create", "admin", "--role", "*=admin", "--entry");
            assertThat(made.code()).as(made.toString()).isZero();
            String entry = made.err()
                    .substring(
                            made.err().indexOf("    - id:"),
                            made.err().indexOf("\n#", made.err().indexOf("- id:")) + 1);
            Path file = directory.resolve("holdfast.yaml");
            Files.writeString(file, "auth:\n  tokens:\n" + entry);
            Path next = token("next", made.out());
            Await.until("it is known", () -> as(next, shell, "token", "ls").code() == 0);
        }
    }

    @Test
    @DisplayName("a server that is too small: who is turned away reads why, and each limit has its sign in the metrics")
    void tooSmall() throws Exception {
        Path admin = token("admin", ADMIN);
        try (LocalServer server =
                serve(ADMIN, "--server.limits.locks-per-principal=2", "--server.limits.waiters-per-principal=1")) {
            Shell shell = new Shell(server.url());
            assertThat(as(admin, shell, "acquire", "one", "--lease", "5m").code())
                    .isZero();
            assertThat(as(admin, shell, "acquire", "two", "--lease", "5m").code())
                    .isZero();
            assertThat(rejected(server, "locks")).isZero();
            Result third = as(admin, shell, "acquire", "three", "--lease", "5m");
            assertThat(third.code()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(third.err())
                    .contains("No Holdfast server served the request", "server.limits.locks-per-principal", "Try again")
                    .doesNotContain("whether it runs");
            assertThat(rejected(server, "locks")).isPositive();

            CompletableFuture<HttpResponse<String>> first = waiting(server);
            Await.until(
                    "it waits",
                    () -> as(admin, shell, "get", "one", "-o", "json").out().contains("\"waiters\":[{"));
            HttpResponse<String> second = waiting(server).join();
            assertThat(second.statusCode()).as(second.body()).isEqualTo(429);
            assertThat(rejected(server, "waiters")).isPositive();
            assertThat(first.isDone()).isFalse();
        }
    }

    private CompletableFuture<HttpResponse<String>> waiting(LocalServer server) {
        String body = "{\"namespace\":\"default\",\"name\":\"one\",\"lease_ms\":60000,\"wait_ms\":60000}";
        return http.sendAsync(
                HttpRequest.newBuilder(URI.create(server.url() + "/v2/locks/acquire"))
                        .header("Authorization", "Bearer " + ADMIN)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private double rejected(LocalServer server, String reason) throws Exception {
        String metrics = http.send(
                        HttpRequest.newBuilder(URI.create(server.url() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        String sign = "holdfast_server_rejected_total{reason=\"" + reason + "\"} ";
        return Double.parseDouble(metrics.lines()
                .filter(line -> line.startsWith(sign))
                .findFirst()
                .orElseThrow()
                .substring(sign.length()));
    }
}
