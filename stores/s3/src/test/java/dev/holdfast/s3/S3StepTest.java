package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In real time: what locks make of a clock of S3 that was set. */
@DisplayName("when the clock of S3 steps by an hour")
class S3StepTest {
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final ClientConfig HASTY = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1));

    private final HttpFront front = new HttpFront(S3.server().port());
    private final String bucket = S3.server().freshBucket();
    private volatile Duration shift = Duration.ZERO;
    private RecordStore store;

    @BeforeEach
    void open() {
        front.through((request, server) -> Optional.of(server.send(request)
                .with(
                        "date",
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                Instant.now().plus(shift).atOffset(ZoneOffset.UTC)))));
        store = opened();
    }

    private RecordStore opened() {
        return S3Store.open(S3.url(front.port(), bucket), S3Config.DEFAULT);
    }

    @AfterEach
    void close() {
        store.close();
        front.close();
    }

    private LockClient holder(HttpFront way) {
        return LockClient.on(S3Store.open(S3.url(way.port(), bucket), S3Config.DEFAULT), HASTY);
    }

    /** Its holder is gone without a word. */
    private void dies() throws InterruptedException {
        HttpFront other = new HttpFront(S3.server().port());
        try (LockClient holder = holder(other)) {
            holder.acquire("lock", o -> o.lease(SHORT));
            other.close();
        }
    }

    private static void assertTakenAfterWatching(RecordStore watching) throws InterruptedException {
        try (LockClient locks = LockClient.on(watching, ClientConfig.DEFAULT)) {
            long start = System.nanoTime();
            Lease next = locks.acquire("lock", o -> o.waitUpTo(Duration.ofMinutes(1)));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT);
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("nobody's lock is taken by it: its holder goes on")
    void holderGoesOn() throws InterruptedException {
        try (HttpFront other = new HttpFront(S3.server().port());
                LockClient holder = holder(other);
                LockClient locks = LockClient.on(store, ClientConfig.DEFAULT)) {
            Lease lease = holder.acquire("lock", o -> o.lease(Duration.ofSeconds(30)));
            Await.get(store.clock().measure());
            shift = Duration.ofHours(1);
            Await.get(store.clock().measure());
            assertThat(locks.tryAcquire("lock")).isInstanceOf(Attempt.Busy.class);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @ParameterizedTest(name = "by {0} h")
    @ValueSource(ints = {1, -1})
    @DisplayName("the lock of a holder that died is taken once it was watched for its whole lease")
    void diesBeforeTheStep(int hours) throws InterruptedException {
        dies();
        Await.get(store.clock().measure());
        shift = Duration.ofHours(hours);
        Await.get(store.clock().measure());
        assertTakenAfterWatching(store);
    }

    @Test
    @DisplayName("who came after a step back, and knows nothing of it, takes it after watching too, not an hour later")
    void cameAfterTheStep() throws InterruptedException {
        dies();
        shift = Duration.ofHours(-1);
        assertTakenAfterWatching(opened());
    }
}
