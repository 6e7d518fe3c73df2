package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.testkit.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("notify test")
final class NotifyCommandTest {
    private static final String ADMIN = "hf_admin-0123456789";
    private static final String READER = "hf_reader-0123456789";

    @TempDir
    private Path directory;

    private final List<String> came = new CopyOnWriteArrayList<>();
    private volatile int status = 204;
    private final HttpServer receiver = receiver();

    private HttpServer receiver() {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", exchange -> {
                came.add(exchange.getRequestHeaders().getFirst("Holdfast-Event") + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(status, -1);
                exchange.close();
            });
            http.start();
            return http;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    private String webhooks(String... ids) {
        StringBuilder lines = new StringBuilder("notify.webhooks:\n");
        for (String id : ids) {
            lines.append("  - {id: ")
                    .append(id)
                    .append(", url: 'http://127.0.0.1:")
                    .append(receiver.getAddress().getPort())
                    .append("/s3cret', secret: 0123456789abcdef, events: [lock.forced]}\n");
        }
        return lines.toString();
    }

    private static String tokens() {
        return "auth.tokens:\n  - {id: ops, sha256: " + TokenSecret.sha256(ADMIN) + ", roles: {'*': [admin]}}\n"
                + "  - {id: reader, sha256: " + TokenSecret.sha256(READER) + ", roles: {'*': [read]}}\n";
    }

    private Result as(String token, Shell shell, String... args) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), token + "\n");
        String[] all = java.util.Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--token-file";
        all[args.length + 1] = file.toString();
        return shell.run(all);
    }

    @Test
    @DisplayName("sends to the webhooks of the server, and the exit code says whether all took it")
    void server() throws Exception {
        Path config = Files.writeString(directory.resolve("holdfast.yaml"), tokens() + webhooks("ops", "chat"));
        try (LocalServer server = LocalServer.start(directory)) {
            Shell shell = new Shell(server.url());
            Result both = as(ADMIN, shell, "notify", "test");
            assertThat(both.code()).as(both.toString()).isZero();
            assertThat(both.out()).contains("ops", "chat", "taken", "HTTP 204").doesNotContain("s3cret");
            assertThat(came)
                    .hasSize(2)
                    .allMatch(one -> one.startsWith("webhook.test {") && one.contains("\"actor\":\"ops\""));
            assertThat(as(ADMIN, shell, "notify", "test", "chat", "-o", "name").out())
                    .isEqualTo("chat\n");

            status = 500;
            Result failed = as(ADMIN, shell, "notify", "test", "ops", "-o", "json");
            assertThat(failed.code()).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(failed.out()).contains("\"outcome\":\"failed\"", "HTTP 500");

            Result unknown = as(ADMIN, shell, "notify", "test", "opps");
            assertThat(unknown.code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(unknown.err()).contains("'opps'", "ops, chat");
            assertThat(as(READER, shell, "notify", "test").code()).isEqualTo(ExitCodes.REFUSED);

            Files.writeString(config, tokens()); // followed
            Await.until("there are none", () -> noneIsTold(shell));
        }
    }

    private boolean noneIsTold(Shell shell) {
        try {
            Result none = as(ADMIN, shell, "notify", "test");
            return none.code() == ExitCodes.CHECK_SAID_NO && none.err().contains("There are no webhooks");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("sends to the webhooks of a file from here, where no server is asked")
    void file() throws Exception {
        Path config = Files.writeString(directory.resolve("other.yaml"), webhooks("ops"));
        Shell shell = new Shell("http://127.0.0.1:1");
        Result sent = shell.run("notify", "test", "--config", config.toString());
        assertThat(sent.code()).as(sent.toString()).isZero();
        assertThat(sent.out()).contains("ops", "taken");
        assertThat(shell.run("notify", "test", "opps", "--config", config.toString())
                        .code())
                .isEqualTo(ExitCodes.FAILURE);
        Files.writeString(config, "notify.webhooks: [{id: ops}]\n");
        Result wrong = shell.run("notify", "test", "--config", config.toString());
        assertThat(wrong.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(wrong.err()).contains("notify.webhooks");
        assertThat(shell.run("notify", "test").code()).isEqualTo(ExitCodes.UNREACHABLE);
    }
}
