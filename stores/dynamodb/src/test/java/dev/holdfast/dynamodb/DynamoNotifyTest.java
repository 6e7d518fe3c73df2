package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.notify.NoticeKind;
import dev.holdfast.server.notify.NotifyOptions;
import dev.holdfast.server.notify.Webhook;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.WebhookInbox;
import dev.holdfast.testkit.servers.WebhookInbox.Message;
import java.io.IOException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("webhooks of servers on DynamoDB")
class DynamoNotifyTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern TOKEN = Pattern.compile("\"fencing_token\":(\\d+)");
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
                        List.of(ops), Duration.ofHours(1), Duration.ofSeconds(20), Duration.ofHours(1), QUICK));
        return HoldfastServer.start(options);
    }

    private static void force(int port, String name) throws Exception {
        String key = "\"namespace\":\"n\",\"name\":\"" + name + "\"";
        Matcher token = TOKEN.matcher(call(port, "/v2/locks/acquire", "{" + key + ",\"lease_ms\":60000}"));
        assertThat(token.find()).isTrue();
        call(
                port,
                "/v2/locks/force-unlock",
                "{" + key + ",\"fencing_token\":" + token.group(1) + ",\"reason\":\"stuck\"}");
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

    private static List<String> names(WebhookInbox inbox) {
        return inbox.all().stream()
                .map(message -> message.body().replaceFirst("(?s).*\"name\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    @Test
    @DisplayName(
            "are told again, under the same id, what a killed server had sent and not noted; by one server at a time")
    void killed() throws Exception {
        String store = Dynamo.url(Dynamo.newName(), Dynamo.port());
        DynamoSchema.of(store).migrate(); // with the table of documents
        try (WebhookInbox inbox = new WebhookInbox();
                ServerProcess dying = ServerProcess.start(
                        JavaProgram.of(DynamoNotifyTest.class).heap("192m"),
                        store,
                        inbox.url().toString())) {
            try (DocumentStore documents = DocumentStores.open(store)) {
                Await.until(
                        "there is a position",
                        () -> documents.look("notify/ops").isPresent());
            }
            inbox.beforeAnswering(dying::kill); // it never hears that this was taken
            force(dying.port(), "one");
            Await.until("1 messages", () -> inbox.all().size() >= 1);
            inbox.beforeAnswering(() -> {});
            try (HoldfastServer next = start(store, inbox.url().toString());
                    HoldfastServer other = start(store, inbox.url().toString())) {
                force(next.port(), "two");
                force(other.port(), "three");
                Await.until("4 messages", () -> inbox.all().size() >= 4);
                next.close();
                force(other.port(), "four");
                Await.until("5 messages", () -> inbox.all().size() >= 5);
            }
            assertThat(names(inbox)).containsExactly("one", "one", "two", "three", "four");
            assertThat(inbox.all()).extracting(Message::event).containsOnly("lock.forced");
            assertThat(inbox.all().get(1).delivery())
                    .isEqualTo(inbox.all().get(0).delivery());
            assertThat(inbox.all().stream().map(Message::delivery).distinct()).hasSize(4);
        }
    }

    /** The server that is killed. */
    public static void main(String[] args) throws IOException {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        try (HoldfastServer server = start(args[0], args[1])) {
            ServerProcess.serve(server.port());
        }
    }
}
