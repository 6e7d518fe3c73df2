package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.servers.HttpFront;
import java.net.URI;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;

@DisplayName("a thread that is interrupted")
class S3InterruptTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");

    /** The steps of the client on the thread that sends. */
    private enum Step {
        EXECUTION,
        MARSHALLING,
        MARSHALLED,
        HTTP_REQUEST,
        TRANSMISSION
    }

    /** Interrupts the thread at each of these steps, once. */
    private static final class Interrupter implements ExecutionInterceptor {
        private final Set<Step> at = EnumSet.noneOf(Step.class);

        private void reached(Step step) {
            if (at.remove(step)) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
            reached(Step.EXECUTION);
        }

        @Override
        public void beforeMarshalling(Context.BeforeMarshalling context, ExecutionAttributes attributes) {
            reached(Step.MARSHALLING);
        }

        @Override
        public void afterMarshalling(Context.AfterMarshalling context, ExecutionAttributes attributes) {
            reached(Step.MARSHALLED);
        }

        @Override
        public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
            reached(Step.HTTP_REQUEST);
            return context.httpRequest();
        }

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            reached(Step.TRANSMISSION);
        }
    }

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("is answered all the same, and stays interrupted")
    void staysInterrupted() {
        try (HttpFront front = new HttpFront(S3.server().port());
                RecordStore store =
                        S3Store.open(S3.url(front.port(), S3.server().freshBucket()), S3Config.DEFAULT)) {
            Thread.currentThread().interrupt();
            CompletableFuture<?> read = store.read(KEY).toCompletableFuture();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.join()).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("while the client sends is answered too, whatever step it was at, and stays interrupted")
    void atEachStep(Step step) {
        Interrupter interrupter = new Interrupter();
        try (S3AsyncClient client = S3AsyncClient.builder()
                        .endpointOverride(
                                URI.create("http://127.0.0.1:" + S3.server().port()))
                        .forcePathStyle(true)
                        .region(Region.US_EAST_1)
                        .overrideConfiguration(all -> all.addExecutionInterceptor(interrupter))
                        .build();
                RecordStore store = S3Store.open(client, S3.server().freshBucket(), "locks", S3Config.DEFAULT)) {
            interrupter.at.add(step);
            CompletableFuture<?> read = store.read(KEY).toCompletableFuture();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(interrupter.at).isEmpty();
            assertThat(read.join()).isNotNull();
        }
    }
}
