package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("locks while S3 or the way to it fails")
class S3FaultyLocksTest {
    private static final RecordKey KEY = LockKey.of("default", "lock").record();
    private static final Duration LONG = Duration.ofMinutes(10);

    private final HttpFront front = new HttpFront(S3.server().port());
    private final HttpFront calm = new HttpFront(S3.server().port());
    private final String bucket = S3.server().freshBucket();
    private final LockClient locks = client(ClientConfig.DEFAULT);
    private final RecordStore aside = S3Store.open(S3.url(calm.port(), bucket), S3Config.DEFAULT);
    private final AtomicInteger times = new AtomicInteger();

    private LockClient client(ClientConfig config) {
        return LockClient.on(
                S3Store.open(
                        S3.url(front.port(), bucket), S3Config.DEFAULT.withRequestTimeout(Duration.ofMillis(1_500))),
                config);
    }

    private LockClient hasty() {
        return client(ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1)));
    }

    @AfterEach
    void close() {
        front.undisturbed();
        locks.close();
        aside.close();
        front.close();
        calm.close();
    }

    /** This happens to the next requests that write. */
    private void next(int count, HttpFront.Passage what) {
        times.set(count);
        front.through((request, server) -> request.method().equals("PUT") && times.getAndDecrement() > 0
                ? what.pass(request, server)
                : Optional.of(server.send(request)));
    }

    private static HttpFront.Passage refused(int status, String code) {
        return (request, server) -> Optional.of(HttpFront.Answer.of(
                status, "application/xml", "<Error><Code>" + code + "</Code><Message>because</Message></Error>"));
    }

    private Lease take() throws InterruptedException {
        return locks.acquire("lock", o -> o.lease(LONG));
    }

    private Versioned stored() {
        return Await.get(aside.read(KEY)).orElseThrow();
    }

    private void assertHeldBy(Lease lease) {
        assertThat(stored().record().holds())
                .singleElement()
                .satisfies(hold -> assertThat(hold.token()).isEqualTo(lease.token()));
        assertThat(lease.isValid()).isTrue();
    }

    private void assertFree() {
        assertThat(stored().record().isIdle()).isTrue();
    }

    // ---- settled by the stamp

    @Test
    @DisplayName("an acquisition and a release whose answers got lost are recognised: one holder, then none")
    void answersLost() throws InterruptedException {
        AtomicInteger puts = new AtomicInteger();
        HttpFront.Passage lost = (request, server) -> {
            puts.incrementAndGet();
            server.send(request);
            return Optional.empty();
        };
        next(1, lost);
        Lease lease = take();
        assertHeldBy(lease);
        next(1, lost);
        assertThat(lease.release()).isTrue();
        assertFree();
        assertThat(puts).as("nothing was written twice").hasValue(2);
    }

    @Test
    @DisplayName("a change that was made though S3 said it failed is recognised")
    void doneButFailed() throws InterruptedException {
        next(1, (request, server) -> {
            server.send(request);
            return refused(500, "InternalError").pass(request, server);
        });
        assertHeldBy(take());
    }

    @Test
    @DisplayName("answers slower than a request may take are not waited for, and change nothing twice")
    void slowAnswers() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        next(1, (request, server) -> {
            HttpFront.Answer answer = server.send(request);
            await(held);
            return Optional.of(answer);
        });
        Lease lease = take();
        held.countDown();
        assertHeldBy(lease);
        assertThat(locks.tryAcquire("lock")).isInstanceOf(Attempt.Busy.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- bursts

    @Test
    @DisplayName("a burst of SlowDown, of 5xx, of lost connections costs time, not the lock")
    void bursts() throws InterruptedException {
        next(5, refused(503, "SlowDown"));
        Lease lease = take();
        assertHeldBy(lease);
        next(5, refused(500, "InternalError"));
        assertThat(lease.release()).isTrue();
        assertFree();
        next(5, (request, server) -> Optional.empty());
        assertHeldBy(take());
    }

    @Test
    @DisplayName("a holder whose renewals are throttled keeps its lock once they get through in time")
    void throttledRenewals() throws InterruptedException {
        Lease lease = locks.acquire("lock", o -> o.lease(Duration.ofSeconds(9)));
        Instant before = stored().record().holds().get(0).expiresAt();
        next(5, refused(503, "SlowDown"));
        Await.until(
                "it was renewed",
                () -> stored().record().holds().get(0).expiresAt().isAfter(before));
        assertThat(times).as("all were refused first").hasNonPositiveValue();
        assertHeldBy(lease);
    }

    // ---- without end

    @Test
    @DisplayName("throttling that does not end is unavailable, never busy and never free")
    void throttled() {
        try (LockClient hasty = hasty()) {
            front.through(refused(503, "SlowDown"));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> hasty.tryAcquire("lock"))
                    .withMessageContaining("slow down")
                    .withMessageContaining(bucket);
            front.undisturbed();
        }
    }

    @Test
    @DisplayName("an acquisition of which nothing more can be learned is unknown, not busy and not free")
    void unknown() {
        try (LockClient hasty = hasty()) {
            next(1, (request, server) -> {
                server.send(request);
                front.through(refused(503, "SlowDown"));
                return Optional.empty();
            });
            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> hasty.tryAcquire("lock"));
            front.undisturbed();
        }
    }
}
