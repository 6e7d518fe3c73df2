package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.aws.AwsFailures;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.HttpFront;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("S3 that fails on the way")
class S3FailureTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");

    private final HttpFront front = new HttpFront(S3.server().port());
    private final String url = S3.url(front.port(), S3.server().freshBucket());
    private RecordStore store;

    @BeforeEach
    void open() {
        store = S3Store.open(url, S3Config.DEFAULT);
    }

    @AfterEach
    void close() {
        front.undisturbed();
        store.close();
        front.close();
    }

    private static Write create(long stamp) {
        LockRecord record = LockRecord.empty(KEY).stamped(new Stamp(stamp));
        return Write.create(record);
    }

    private static boolean writes(HttpFront.Request request) {
        return request.method().equals("PUT") || request.method().equals("DELETE");
    }

    private static HttpFront.Answer error(int status, String code) {
        return HttpFront.Answer.of(
                status, "application/xml", "<Error><Code>" + code + "</Code><Message>because</Message></Error>");
    }

    // ---- what one failure is told as

    @ParameterizedTest
    @CsvSource({
        "503, SlowDown, StoreUnavailableException",
        "503, ServiceUnavailable, StoreUnavailableException",
        "409, ConditionalRequestConflict, StoreUnavailableException",
        "429, TooManyRequests, StoreUnavailableException",
        "400, RequestTimeout, StoreUnavailableException",
        "500, InternalError, OutcomeUnknownException",
        "502, BadGateway, OutcomeUnknownException",
        "503, FromAProxy, OutcomeUnknownException",
        "400, InvalidRequest, StoreUnusableException",
        "403, AccessDenied, StoreUnusableException",
        "403, RequestTimeTooSkewed, StoreUnusableException",
        "400, ExpiredToken, StoreUnavailableException",
        "400, InvalidToken, StoreUnusableException",
        "301, PermanentRedirect, StoreUnusableException",
    })
    @DisplayName("a write that is answered with an error says whether it may have happened; a read never does")
    void answered(int status, String code, String expected) {
        AtomicInteger asked = new AtomicInteger();
        front.through((request, server) -> {
            asked.incrementAndGet();
            return Optional.of(error(status, code));
        });
        assertThat(failure(store.write(List.of(create(1)))).getClass().getSimpleName())
                .isEqualTo(expected);
        assertThat(asked).as("requests for one write").hasValue(1);
        assertThat(failure(store.read(KEY)).getClass().getSimpleName())
                .isEqualTo(expected.replace("OutcomeUnknown", "StoreUnavailable"));
    }

    private static Throwable failure(CompletionStage<?> stage) {
        return stage.handle((value, failure) -> AwsFailures.cause(failure))
                .toCompletableFuture()
                .join();
    }

    @Test
    @DisplayName("a write whose answer is lost is unknown, not done again by itself, and was done")
    void answerLost() {
        AtomicInteger asked = new AtomicInteger();
        front.through((request, server) -> {
            HttpFront.Answer answer = server.send(request);
            asked.addAndGet(writes(request) ? 1 : 0);
            return writes(request) ? Optional.empty() : Optional.of(answer);
        });
        assertThat(failure(store.write(List.of(create(7))))).isInstanceOf(OutcomeUnknownException.class);
        assertThat(asked).hasValue(1);
        assertThat(Await.get(store.read(KEY)).orElseThrow().record().stamp()).isEqualTo(new Stamp(7));
    }

    @Test
    @DisplayName("a write that is not answered in time is unknown, a read unavailable, and neither waits longer")
    void slow() {
        CountDownLatch held = new CountDownLatch(1);
        try (RecordStore impatient = S3Store.open(url, S3Config.DEFAULT.withRequestTimeout(Duration.ofSeconds(1)))) {
            front.through((request, server) -> {
                await(held);
                return Optional.of(server.send(request));
            });
            assertThat(failure(impatient.write(List.of(create(1))))).isInstanceOf(OutcomeUnknownException.class);
            assertThat(failure(impatient.read(KEY))).isInstanceOf(StoreUnavailableException.class);
        } finally {
            held.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("a write under way when the store is closed is unknown, and does not hang")
    void closedMeanwhile() {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        RecordStore closing = S3Store.open(url, S3Config.DEFAULT.withRequestTimeout(Duration.ofSeconds(60)));
        front.through((request, server) -> {
            arrived.countDown();
            await(held);
            return Optional.of(server.send(request));
        });
        CompletableFuture<List<WriteResult>> writing =
                closing.write(List.of(create(1))).toCompletableFuture();
        await(arrived);
        closing.close();
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> Await.get(writing));
        held.countDown();
    }

    @ParameterizedTest
    @CsvSource({"503, SlowDown, StoreUnavailableException", "500, InternalError, OutcomeUnknownException"})
    @DisplayName("of several writes, one that failed or is in doubt is told apart from those that were made")
    void severalWrites(int status, String code, String expected) {
        front.through((request, server) ->
                Optional.of(request.path().contains("/b") ? error(status, code) : server.send(request)));
        List<Write> writes = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            RecordKey key = new RecordKey("default", name);
            LockRecord record = LockRecord.empty(key).stamped(new Stamp(1));
            writes.add(Write.create(record));
        }
        List<WriteResult> results = Await.get(store.write(writes));
        assertThat(results.get(0)).isInstanceOf(WriteResult.Applied.class);
        assertThat(results.get(1))
                .isInstanceOfSatisfying(
                        WriteResult.Failed.class,
                        failed -> assertThat(failed.why().getClass().getSimpleName())
                                .isEqualTo(expected));
        assertThat(results.get(2)).isInstanceOf(WriteResult.Applied.class);
    }

    // ---- what locks make of it

    @Test
    @DisplayName(
            "locks go on through lost answers, bursts of 503 and 500, and conflicts: never two at once, no grant lost")
    void locksGoOn() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        S3Config eager = S3Config.DEFAULT.withPollInterval(Duration.ofMillis(100)); // the test waits for each look
        try (LockClient one = LockClient.on(S3Store.open(url, eager), ClientConfig.DEFAULT);
                LockClient two = LockClient.on(S3Store.open(url, eager), ClientConfig.DEFAULT)) {
            AtomicInteger count = new AtomicInteger();
            front.through((request, server) -> disturbed(count.incrementAndGet() % 11, request, server));
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (LockClient locks : List.of(one, one, two)) {
                callers.add(CompletableFuture.runAsync(() -> takeTurns(locks, inside)));
            }
            CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
            front.undisturbed();
            assertThat(one.tryAcquire("turns")).isInstanceOf(Attempt.Done.class);
        }
    }

    private static Optional<HttpFront.Answer> disturbed(int turn, HttpFront.Request request, HttpFront.Server server)
            throws IOException {
        switch (turn) {
            case 1, 2 -> {
                return Optional.of(error(503, "SlowDown"));
            }
            case 4 -> {
                return Optional.of(error(500, "InternalError"));
            }
            case 6 -> {
                return Optional.of(error(409, "ConditionalRequestConflict"));
            }
            case 8 -> {
                server.send(request);
                return Optional.empty();
            }
            case 10 -> {
                server.send(request);
                return Optional.of(error(500, "InternalError"));
            }
            default -> {
                return Optional.of(server.send(request));
            }
        }
    }

    private static void takeTurns(LockClient locks, AtomicInteger inside) {
        for (int done = 0; done < 6; ) {
            try (Lease lease = locks.acquire(
                    LockKey.of("default", "turns"),
                    o -> o.lease(Duration.ofSeconds(60)).waitUpTo(Duration.ofSeconds(60)))) {
                assertThat(inside.incrementAndGet()).as("holders at once").isEqualTo(1);
                lease.ensureValid();
                inside.decrementAndGet();
                done++;
            } catch (StoreException e) {
                assertThat(e).isNotInstanceOf(StoreUnusableException.class); // in doubt or in vain: again
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
