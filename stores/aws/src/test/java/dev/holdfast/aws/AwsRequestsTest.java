package dev.holdfast.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkInterruptedException;
import software.amazon.awssdk.http.SdkHttpResponse;

@DisplayName("a request to a store at AWS")
class AwsRequestsTest {
    private static final SdkHttpResponse OK =
            SdkHttpResponse.builder().statusCode(200).build();

    private final DateHeaderClock clock = new DateHeaderClock(
            "the store",
            LocalTime.SYSTEM,
            ServerTime.DATE,
            new DateHeaderClock.Skew(Duration.ZERO, "allow for more"),
            () -> CompletableFuture.completedFuture(null));
    private final AwsRequests requests = new AwsRequests(
            "the store",
            LocalTime.SYSTEM,
            clock,
            (doing, failure, changes) -> new IllegalStateException(doing + " failed", failure));
    /** What the client does with one request after the other; then it answers. */
    private final Deque<Throwable> failures = new ArrayDeque<>();

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private CompletableFuture<String> send() {
        return requests.read("asking", this::answer, answer -> OK, answer -> answer, failure -> Optional.empty());
    }

    /** As the client of AWS: it forgets the interrupt it gives up for. */
    private CompletableFuture<String> answer() {
        Throwable failure = failures.poll();
        return failure == null ? CompletableFuture.completedFuture("answer") : CompletableFuture.failedFuture(failure);
    }

    static Stream<Throwable> interrupts() {
        return Stream.of(
                AbortedException.create("Thread was interrupted"),
                SdkClientException.create("Unable to execute HTTP request", new SdkInterruptedException()),
                new SdkInterruptedException(),
                new CompletionException(
                        SdkClientException.create("Interrupted", AbortedException.create("Thread was interrupted"))));
    }

    @ParameterizedTest
    @MethodSource("interrupts")
    @DisplayName("goes out although the client gave it up for an interrupt, and the thread stays interrupted")
    void interruptIsHeard(Throwable interrupt) {
        failures.add(interrupt);
        failures.add(interrupt);
        assertThat(send().join()).isEqualTo("answer");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("of a thread that is interrupted without end fails, and the thread stays interrupted")
    void interruptedWithoutEnd() {
        interrupts().forEach(failures::add);
        assertThatThrownBy(() -> send().join()).hasRootCauseInstanceOf(AbortedException.class);
        assertThat(failures).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("that fails otherwise is not sent again, and interrupts nobody")
    void otherFailures() {
        failures.add(SdkClientException.create("no route"));
        assertThatThrownBy(() -> send().join()).hasRootCauseMessage("no route");
        assertThat(send().join()).isEqualTo("answer");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName(
            "that the client throws for, maybe after it was sent, is named like one that failed: a change is in doubt")
    void thrown() {
        AwsRequests named = new AwsRequests(
                "the store",
                LocalTime.SYSTEM,
                clock,
                (doing, failure, changes) -> changes
                        ? new OutcomeUnknownException(doing, failure)
                        : new StoreUnavailableException(doing, failure));
        IllegalStateException thrown = new IllegalStateException("by a wrapper that waited for the answer");
        CompletableFuture<String> change =
                named.change("writing", () -> answerOr(thrown), answer -> OK, answer -> answer, f -> Optional.empty());
        CompletableFuture<String> question =
                named.read("asking", () -> answerOr(thrown), answer -> OK, answer -> answer, f -> Optional.empty());
        assertThatThrownBy(change::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasRootCause(thrown);
        assertThatThrownBy(question::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    private static CompletableFuture<String> answerOr(RuntimeException thrown) {
        throw thrown;
    }

    @Test
    @DisplayName("that is under way when the store is closed ends: a change is in doubt, a question is not")
    void close() {
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> question =
                requests.read("asking", () -> never, answer -> OK, answer -> answer, failure -> Optional.empty());
        CompletableFuture<String> change =
                requests.change("writing", () -> never, answer -> OK, answer -> answer, failure -> Optional.empty());
        requests.close();
        assertThatThrownBy(question::join).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(change::join).hasCauseInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> send().join()).hasCauseInstanceOf(StoreUnavailableException.class);
    }
}
