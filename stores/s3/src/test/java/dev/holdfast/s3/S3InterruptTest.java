package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.servers.HttpFront;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a thread that is interrupted")
class S3InterruptTest {
    @Test
    @DisplayName("is answered all the same, and stays interrupted")
    void staysInterrupted() {
        try (HttpFront front = new HttpFront(S3.server().port());
                RecordStore store =
                        S3Store.open(S3.url(front.port(), S3.server().freshBucket()), S3Config.DEFAULT)) {
            Thread.currentThread().interrupt();
            CompletableFuture<?> read =
                    store.read(new RecordKey("default", "lock")).toCompletableFuture();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.join()).isNotNull();
        }
    }
}
