package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.LockClient;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.servers.HttpFront;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** What others find in the bucket, and what becomes of writes whose answers get lost. */
@DisplayName("documents in a bucket")
class S3DocumentsPlaceTest {
    private static final String NAME = "stacks/shop/prod/state.json";
    private static final String PREFIX = "locks/";

    private final S3DocumentFixture fixture = new S3DocumentFixture();
    private final S3AsyncClient client = S3Clients.of(BucketAddress.of(fixture.url()), S3Config.DEFAULT);
    private final BucketRequests bucket =
            new BucketRequests(client, BucketAddress.of(fixture.url()), S3Config.DEFAULT, ServerTime.DATE);
    private DocumentStore store = new dev.holdfast.documents.MemoryDocuments();

    @BeforeEach
    void open() {
        store = fixture.open();
    }

    @AfterEach
    void close() {
        store.close();
        client.close();
        fixture.close();
    }

    private DocumentHead write(String text) {
        WriteOutcome outcome = store.write(
                Change.put(NAME, Condition.none(), text.getBytes(StandardCharsets.UTF_8), Map.of("serial", "7")));
        return ((WriteOutcome.Written) outcome).heads().get(0);
    }

    private Optional<String> plain() {
        return bucket.getAll(PREFIX + NAME).join().map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    private List<String> contents() {
        return bucket.list(PREFIX + ".documents/contents/", Optional.empty(), 100)
                .join()
                .keys();
    }

    @Test
    @DisplayName("are counted by one LIST, without a look at each; what was deleted is not among them")
    void namesAlone() {
        for (String name : List.of("a", "b", "c")) {
            store.write(Change.put("n/" + name, Condition.none(), new byte[] {1}, Map.of()));
        }
        store.write(Change.delete("n/b", Condition.none()));
        bucket.create(PREFIX + ".documents/heads/n/gone", DocumentObject.tombstone())
                .join();
        List<String> asked = new CopyOnWriteArrayList<>();
        fixture.front().through((request, server) -> {
            asked.add(request.method() + " " + request.path());
            return fixture.inTurn(request, server);
        });
        assertThat(store.names(ListRequest.of("n/", 10)).names()).containsExactly("n/a", "n/c");
        assertThat(asked).singleElement().asString().contains("list-type=2");
        assertThat(store.names(ListRequest.of("n/", 1)))
                .isEqualTo(new DocumentStore.NamePage(List.of("n/a"), Optional.of("n/a")));
        assertThat(store.list(ListRequest.of("n/", 10)).heads())
                .extracting(DocumentHead::name)
                .containsExactly("n/a", "n/c");
    }

    @Test
    @DisplayName(
            "are found under their names with exactly their bytes and their attributes, and gone when deleted; one content stays for each")
    void layout() {
        write("one");
        DocumentHead two = write("{\"two\": 2}\n");
        assertThat(plain()).contains("{\"two\": 2}\n");
        assertThat(bucket.describe(PREFIX + NAME).join().orElseThrow().metadata())
                .containsEntry("serial", "7")
                .containsEntry("holdfast-tag", two.tag());
        assertThat(contents()).hasSize(1);
        store.write(Change.mark(NAME, two.tag(), Map.of("token", "1")));
        assertThat(bucket.describe(PREFIX + NAME).join().orElseThrow().metadata())
                .containsEntry("token", "1")
                .doesNotContainKey("serial");
        store.write(Change.delete(NAME, Condition.none()));
        assertThat(plain()).isEmpty();
        assertThat(bucket.list(PREFIX, Optional.empty(), 100).join().keys()).isEmpty();
    }

    @Test
    @DisplayName("a refused write leaves nothing behind")
    void refused() {
        write("one");
        store.write(Change.put(NAME, Condition.absent(), new byte[10], Map.of()));
        assertThat(contents()).hasSize(1);
        assertThat(plain()).contains("one");
    }

    @Test
    @DisplayName("what somebody else has put at a key is neither replaced nor deleted by who has not seen it")
    void foreign() {
        bucket.store(PREFIX + NAME, "theirs".getBytes(StandardCharsets.UTF_8)).join();
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> write("ours"))
                .withMessageContaining(NAME);
        store.write(Change.delete(NAME, Condition.none()));
        assertThat(plain()).contains("theirs");
        assertThat(store.look(NAME)).as("it can be seen").isPresent();
    }

    @Test
    @DisplayName(
            "a write whose answer is lost is recognised by its tag; one that got lost itself leaves it open, and its content in place")
    void lostAnswer() {
        write("one");
        fixture.front().through((request, server) -> {
            Optional<HttpFront.Answer> answer = fixture.inTurn(request, server);
            return isHead(request) ? Optional.empty() : answer;
        });
        DocumentHead two = write("two");
        assertThat(store.look(NAME)).contains(two);
        assertThat(plain()).contains("two");
        fixture.front()
                .through((request, server) -> isHead(request) ? Optional.empty() : fixture.inTurn(request, server));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> write("three"));
        assertThat(contents()).hasSize(2); // should the request come after all
        assertThat(store.get(NAME).orElseThrow().head()).isEqualTo(two);
    }

    private static boolean isHead(HttpFront.Request request) {
        return request.method().equals("PUT") && request.path().contains("/heads/");
    }

    @Test
    @DisplayName("a copy that cannot be made does not undo the write, and is mended by the next")
    void staleCopy() {
        write("one");
        fixture.front()
                .through((request, server) -> request.headers().containsKey("x-amz-copy-source")
                        ? Optional.of(
                                HttpFront.Answer.of(503, "application/xml", "<Error><Code>SlowDown</Code></Error>"))
                        : fixture.inTurn(request, server));
        write("two");
        assertThat(store.get(NAME).orElseThrow().content()).asString().isEqualTo("two");
        assertThat(plain()).contains("one");
        fixture.front().undisturbed();
        write("three");
        assertThat(plain()).contains("three");
    }

    @Test
    @DisplayName("of two writes, the copy of the first that comes late is put right by its own writer")
    void lateCopy() {
        write("one");
        AtomicInteger copies = new AtomicInteger();
        try (DocumentStore other = fixture.open()) {
            fixture.front().through((request, server) -> {
                if (request.headers().containsKey("x-amz-copy-source") && copies.getAndIncrement() == 0) {
                    other.write(Change.put(NAME, Condition.none(), "three".getBytes(StandardCharsets.UTF_8), Map.of()));
                    return Optional.of(server.send(request)); // its content is gone by now
                }
                return fixture.inTurn(request, server);
            });
            write("two");
        }
        assertThat(store.get(NAME).orElseThrow().content()).asString().isEqualTo("three");
        assertThat(plain()).contains("three");
    }

    @Test
    @DisplayName("and locks may share a prefix: neither lists the other")
    void besideLocks() throws InterruptedException {
        write("one");
        try (LockClient locks = LockClient.connect(fixture.url());
                RecordStore records = S3Store.open(fixture.url(), S3Config.DEFAULT)) {
            locks.acquire("lock").close();
            assertThat(records.scan(ScanRequest.all())
                            .toCompletableFuture()
                            .join()
                            .records())
                    .extracting(found -> found.record().key())
                    .containsExactly(new RecordKey("default", "lock"));
        }
        assertThat(store.list(dev.holdfast.documents.ListRequest.of("", 10)).heads())
                .hasSize(1);
    }
}
