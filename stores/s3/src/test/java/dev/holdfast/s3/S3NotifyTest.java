package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.notify.NoticeKind;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.HttpFront;
import dev.holdfast.testkit.servers.WebhookInbox;
import dev.holdfast.testkit.servers.WebhookInbox.Message;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("webhooks of servers on S3")
class S3NotifyTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final NotifyOptions.Pace QUICK = new NotifyOptions.Pace(
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofSeconds(3));

    private static HoldfastServer start(String store, String receiver) {
        Settings settings = Settings.load(
                List.of(
                        "--server.port=0",
                        "--server.host=127.0.0.1",
                        "--authentication.disabled=true",
                        "--store=" + store),
                Map.of(),
                Path.of("nowhere"));
        Webhook ops = new Webhook(
                "ops",
                URI.create(receiver),
                Optional.of("0123456789abcdef"),
                Set.of(NoticeKind.values()),
                List.of(),
                List.of(),
                Webhook.Format.JSON);
        ServerOptions options = ServerSetup.of(settings)
                .notifying(new NotifyOptions(
                        List.of(ops), Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofHours(1), QUICK));
        return HoldfastServer.start(options);
    }

    private static String asking(String name, String lease, int wait) {
        return "{\"namespace\":\"n\",\"name\":\"" + name + "\",\"lease_ms\":60000,\"lease_id\":\"" + lease
                + "\",\"owner\":\"" + lease + "\",\"wait_ms\":" + wait + "}";
    }

    private static String call(int port, String path, String json) throws Exception {
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isLessThan(300);
        return answer.body();
    }

    @Test
    @DisplayName("are told of a long wait once, by one of two servers, and by the other when that has stopped")
    void longWaits() throws Exception {
        try (HttpFront front = new HttpFront(S3.server().port());
                WebhookInbox inbox = new WebhookInbox()) {
            String store = S3.url(front.port(), S3.server().freshBucket());
            String receiver = inbox.url().toString();
            try (HoldfastServer one = start(store, receiver);
                    HoldfastServer two = start(store, receiver)) {
                waited(one, "first");
                Await.until("1 messages", () -> inbox.all().size() >= 1);
                one.close();
                waited(two, "second");
                Await.until("2 messages", () -> inbox.all().size() >= 2);
            }
            assertThat(inbox.all()).extracting(Message::event).containsExactly("lock.waiting", "lock.waiting");
            assertThat(inbox.all().get(0).body())
                    .contains("\"name\":\"first\"", "\"owner\":\"waiter-first\"", "holder-first");
            assertThat(inbox.all().get(1).body()).contains("\"name\":\"second\"");
        }
    }

    /** Somebody waits for this lock, until it has been told and longer. */
    private static void waited(HoldfastServer server, String name) throws Exception {
        call(server.port(), "/v2/locks/acquire", asking(name, "holder-" + name, 0));
        String answer = call(server.port(), "/v2/locks/acquire", asking(name, "waiter-" + name, 5_000));
        assertThat(answer).as("still queued").contains("position");
    }
}
