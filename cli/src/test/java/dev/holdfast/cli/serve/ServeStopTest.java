package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliServer;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How a server process ends, and what is left of its locks. */
@Execution(ExecutionMode.CONCURRENT)
class ServeStopTest {
    private static final String JOB = "{\"namespace\":\"n\",\"name\":\"job\",\"lease_ms\":60000,\"owner\":\"a\"";

    @TempDir
    private Path directory;

    private ServerProcess start() throws InterruptedException {
        return CliServer.start(directory, Map.of()).ready();
    }

    @Test
    @DisplayName("asked to end, it tells waiters to come back, finishes what has begun, and exits with 0")
    void terminated() throws Exception {
        try (ServerProcess server = start();
                Socket begun = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            assertThat(server.post("/v2/locks/acquire", JOB + "}").statusCode()).isEqualTo(200);
            CompletableFuture<HttpResponse<String>> waiter =
                    server.postLater("/v2/locks/acquire", JOB + ",\"wait_ms\":50000}");
            Await.until("the second caller waits", () -> waiters(server).contains("\"position\":1"));
            byte[] body =
                    "{\"namespace\":\"n\",\"name\":\"other\",\"lease_ms\":60000}".getBytes(StandardCharsets.UTF_8);
            OutputStream out = begun.getOutputStream();
            out.write(("POST /v2/locks/acquire HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                            + "Content-Length: " + body.length + "\r\n\r\n{")
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            server.get("/health/live"); // so the server has seen what came before

            server.signal("TERM");
            HttpResponse<String> told = Await.get(waiter);
            out.write(body, 1, body.length - 1);
            out.flush();

            assertThat(told.statusCode()).isEqualTo(202);
            assertThat(told.body()).contains("\"position\":1");
            assertThat(firstLine(begun.getInputStream())).isEqualTo("HTTP/1.1 200 OK");
            assertThat(server.exit()).isZero();
            assertThat(server.output()).contains("Stopping").endsWith("Stopped");
        }
    }

    private static String waiters(ServerProcess server) {
        try {
            return server.get("/v2/lock?namespace=n&name=job").body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String firstLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    @Test
    @DisplayName("killed, it loses no lease: the next one knows it, and what expired meanwhile gets a greater token")
    void killed() throws Exception {
        HttpResponse<String> held;
        HttpResponse<String> brief;
        try (ServerProcess first = start()) {
            held = first.post("/v2/locks/acquire", JOB + "}");
            brief = first.post("/v2/locks/acquire", "{\"namespace\":\"n\",\"name\":\"brief\",\"lease_ms\":100}");
            assertThat(brief.statusCode()).isEqualTo(200);
            first.signal("KILL");
            assertThat(first.exit()).isNotZero();
        }
        try (ServerProcess second = start()) {
            HttpResponse<String> seen = second.get("/v2/lock?namespace=n&name=job");
            String lease = "{\"leases\":[{\"namespace\":\"n\",\"name\":\"job\",\"lease_id\":\""
                    + ServerProcess.field(held, "lease_id") + "\"}]}";

            assertThat(ServerProcess.field(seen, "fencing_token"))
                    .isEqualTo(ServerProcess.field(held, "fencing_token"));
            assertThat(second.post("/v2/locks/acquire", JOB + ",\"lease_id\":\"another-one\"}")
                            .statusCode())
                    .isEqualTo(423);
            assertThat(ServerProcess.field(second.post("/v2/locks/renew", lease), "outcome"))
                    .isEqualTo("renewed");
            assertThat(ServerProcess.field(second.post("/v2/locks/release", lease), "outcome"))
                    .isEqualTo("released");
            HttpResponse<String> next = second.post(
                    "/v2/locks/acquire", "{\"namespace\":\"n\",\"name\":\"brief\",\"lease_ms\":1000,\"wait_ms\":5000}");
            assertThat(next.statusCode()).isEqualTo(200);
            assertThat(token(next)).isGreaterThan(token(brief));
        }
    }

    private static long token(HttpResponse<String> granted) {
        return Long.parseLong(ServerProcess.field(granted, "fencing_token"));
    }
}
