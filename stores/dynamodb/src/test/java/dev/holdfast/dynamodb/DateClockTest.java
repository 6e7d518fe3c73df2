package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.aws.DateHeaderClock;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the time, from Date headers")
class DateClockTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    private final FaultLine line = new FaultLine();
    private final String table = Dynamo.freshTable();
    private final RecordStore store = Locks.open(table, line.port(), DynamoConfig.DEFAULT.withHistory(false));

    @AfterEach
    void close() {
        store.close();
        line.close();
    }

    private StoreClock.Reading reading() {
        return store.clock().now().orElseThrow();
    }

    @Test
    @DisplayName("the first answer tells it within a second and the skew on both sides, more answers tell it better")
    void narrows() {
        Await.get(store.clock().measure());
        Instant before = Instant.now();
        StoreClock.Reading first = reading();
        assertThat(first.earliest()).isBeforeOrEqualTo(Instant.now());
        assertThat(first.latest()).isAfterOrEqualTo(before);
        Await.until("it is known better than whole seconds tell", () -> {
            Await.get(store.clock().measure());
            return width(reading()).compareTo(Duration.ofMillis(1_500)) < 0;
        });
        Instant then = Instant.now();
        assertThat(reading().earliest()).isBeforeOrEqualTo(Instant.now());
        assertThat(reading().latest()).isAfterOrEqualTo(then);
        assertThat(reading().trustedSince()).isEqualTo(Instant.MIN);
    }

    private static Duration width(StoreClock.Reading reading) {
        return Duration.between(reading.earliest(), reading.latest());
    }

    @ParameterizedTest(name = "by {0} s")
    @ValueSource(ints = {3_600, -3_600, 4})
    @DisplayName("when it steps, that is told, and nobody's lock is taken by the clock, only after watching it")
    void steps(int seconds) throws InterruptedException {
        try (LogSpy log = new LogSpy(DateHeaderClock.class);
                LockClient holder = Locks.plain(table, Dynamo.port());
                LockClient locks = LockClient.on(store, ClientConfig.DEFAULT)) {
            Lease lease = holder.acquire("lock", o -> o.lease(SHORT));
            Await.get(store.clock().measure());
            line.shiftDates(Duration.ofSeconds(seconds));
            Await.get(store.clock().measure());
            assertThat(reading().trustedSince()).isNotEqualTo(Instant.MIN);
            assertThat(log.heard())
                    .anyMatch(said -> said.startsWith("WARN The clock of DynamoDB table '" + table)
                            && said.contains("stepped")
                            && said.contains("?skew="));
            for (int i = 0; i < 5; i++) { // by the clock alone it would be free, an hour long
                assertThat(locks.tryAcquire("lock")).isInstanceOf(Attempt.Busy.class);
            }
            assertThat(lease.isValid()).isTrue();
        }
    }

    @ParameterizedTest(name = "by {0} s")
    @ValueSource(ints = {3_600, -3_600})
    @DisplayName("after a step, the lock of a holder that died is taken once it was watched for its whole lease")
    void diesAfterAStep(int seconds) throws InterruptedException {
        dies("lock");
        Await.get(store.clock().measure());
        line.shiftDates(Duration.ofSeconds(seconds));
        Await.get(store.clock().measure());
        assertTakenAfterWatching(store);
    }

    @Test
    @DisplayName("who came after a step back, and knows nothing of it, takes it after watching too, not an hour later")
    void cameAfterTheStep() throws InterruptedException {
        dies("lock");
        line.shiftDates(Duration.ofHours(-1));
        assertTakenAfterWatching(Locks.open(table, line.port(), DynamoConfig.DEFAULT.withHistory(false)));
    }

    /** Its holder is gone without a word. */
    private void dies(String name) throws InterruptedException {
        FaultLine other = new FaultLine();
        LockClient holder = Locks.plain(table, other.port());
        holder.acquire(name, o -> o.lease(SHORT));
        other.close();
        holder.close();
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
    @DisplayName("answers without the time are refused by name")
    void noDate() {
        line.always(request -> {
            Message answer = request.forward();
            List<String> head = answer.head().stream()
                    .filter(one -> !one.startsWith("Date"))
                    .toList();
            request.answer(new Message(head, answer.body()));
        });
        Assertions.assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> Await.get(store.clock().measure()))
                .withMessageContaining("Date header")
                .withMessageContaining(table);
    }
}
