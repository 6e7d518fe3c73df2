package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.testkit.Await;
import dev.holdfast.wire.backup.BackupReader;
import dev.holdfast.wire.backup.BackupSummary;
import dev.holdfast.wire.backup.BackupVisitor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("GET /admin/backup")
class BackupRouteTest {
    /** What the thread that writes backups gets from a listing, if not the listing. */
    private volatile Optional<CompletableFuture<Page>> instead = Optional.empty();

    private final CompletableFuture<Boolean> asked = new CompletableFuture<>();
    private final TestServer server = TestServer.start(TestServer.OPEN, new Slow(MemoryStore.exclusive()));
    private final Client client = Client.of(server);

    @AfterEach
    void stop() {
        instead.ifPresent(page -> page.completeExceptionally(new StoreUnavailableException("over", null)));
        server.close();
    }

    private final class Slow implements RecordStore {
        private final RecordStore store;

        Slow(RecordStore store) {
            this.store = store;
        }

        @Override
        public CompletionStage<Page> scan(ScanRequest request) {
            if (Thread.currentThread().getName().startsWith("holdfast-backup") && instead.isPresent()) {
                asked.complete(true);
                return instead.get();
            }
            return store.scan(request);
        }

        @Override
        public CompletionStage<Optional<Versioned>> read(RecordKey key) {
            return store.read(key);
        }

        @Override
        public CompletionStage<List<WriteResult>> write(List<Write> writes) {
            return store.write(writes);
        }

        @Override
        public StoreClock clock() {
            return store.clock();
        }

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private HttpResponse<byte[]> take() throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(client.request("/admin/backup").build(), BodyHandlers.ofByteArray());
    }

    @Test
    @DisplayName("answers with a whole backup, again and again")
    void whole() throws Exception {
        client.acquire("nightly", "lease-0001", "");
        for (int i = 0; i < 3; i++) {
            HttpResponse<byte[]> answer = take();
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/gzip");
            BackupSummary backup = BackupReader.read(new ByteArrayInputStream(answer.body()), new BackupVisitor() {});
            assertThat(backup.totals().held()).isEqualTo(1);
        }
        assertThat(client.get("/admin/backup?x=1").status()).isEqualTo(400);
    }

    @Test
    @DisplayName("one at a time; a store that fails in the middle breaks the answer off, and the next one is whole")
    void failsInTheMiddle() throws Exception {
        CompletableFuture<Page> never = new CompletableFuture<>();
        instead = Optional.of(never);
        CompletableFuture<HttpResponse<byte[]>> first = CompletableFuture.supplyAsync(() -> {
            try {
                return take();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(asked.get()).isTrue();
        Answer second = client.get("/admin/backup");
        assertThat(second.status()).isEqualTo(503);
        assertThat(second.json().get("code").text()).isEqualTo("busy");
        never.completeExceptionally(new StoreUnavailableException("The line is cut", null));
        assertThatExceptionOfType(Exception.class).isThrownBy(first::join).withMessageContaining("IOException");
        instead = Optional.empty();
        Await.until("the next is let in", () -> client.get("/admin/backup").status() == 200);
    }
}
