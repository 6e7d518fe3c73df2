package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("documents as bodies")
class DocumentsTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    @DisplayName("come as they were sent, of any type and with any method, and up to their own limit")
    void asTheyAre() throws Exception {
        try (Blocking threads = new Blocking("test", 2, 2);
                TestServer server = TestServer.with(List.of(echo(threads, "LOCK"), echo(threads, "POST")))) {
            byte[] large = new byte[3 << 20];
            new Random(7).nextBytes(large);
            assertThat(send(server, "POST", large).body()).isEqualTo(large);
            assertThat(send(server, "LOCK", new byte[] {1}).body()).containsExactly(1);
            assertThat(send(server, "LOCK", new byte[0]).body()).isEmpty();
            assertThat(send(server, "POST", new byte[(64 << 20) + 1]).statusCode())
                    .isEqualTo(413);
            assertThat(send(server, "PUT", new byte[0]).headers().firstValue("Allow"))
                    .contains("LOCK, POST");
        }
    }

    @Test
    @DisplayName("without a length they are taken too")
    void withoutLength() throws Exception {
        try (Blocking threads = new Blocking("test", 2, 2);
                TestServer server = TestServer.with(List.of(echo(threads, "POST")))) {
            byte[] large = new byte[300_000];
            new Random(8).nextBytes(large);
            HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/echo"))
                    .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large)))
                    .build();
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofByteArray())
                            .body())
                    .isEqualTo(large);
        }
    }

    private static Route echo(Blocking threads, String method) {
        return Route.of(HttpMethod.valueOf(method), "/echo", call -> {
                    byte[] came = call.document();
                    return threads.run(() -> Reply.bytes(200, "application/octet-stream", Buffer.buffer(came)));
                })
                .taking(Route.BodyKind.DOCUMENT)
                .open();
    }

    private HttpResponse<byte[]> send(TestServer server, String method, byte[] body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/echo"))
                .header("Content-Type", "text/plain")
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
}
