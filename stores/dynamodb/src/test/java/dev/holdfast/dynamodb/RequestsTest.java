package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the documents say about cost. */
@DisplayName("requests to DynamoDB")
class RequestsTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(50);

    private final FaultLine line = new FaultLine();
    private final String table = Dynamo.freshTable();
    private RecordStore store;
    private LockClient locks;

    @BeforeEach
    void open() throws InterruptedException {
        store = Locks.open(table, line.port(), DynamoConfig.DEFAULT.withHistory(false));
        locks = LockClient.on(store, ClientConfig.DEFAULT);
        locks.acquire("warm", o -> o.lease(LONG)).close(); // the clock is known, and the first sweep is over
        Await.until(
                "it was swept",
                () -> line.passed().stream().filter("Scan"::equals).count() >= 2);
        line.forget();
    }

    @AfterEach
    void close() {
        locks.close();
        line.close();
    }

    /** Without those that measure the time, every ten seconds. */
    private List<String> requests() {
        return line.passed().stream()
                .filter(operation -> !operation.equals("Clock"))
                .toList();
    }

    private static Lease take(LockClient from, String name) throws InterruptedException {
        return from.acquire(name, o -> o.lease(LONG));
    }

    @Test
    @DisplayName("a lock nobody ever used: one to acquire, one to renew, one to release")
    void unused() throws InterruptedException {
        Lease lease = take(locks, "new");
        assertThat(requests()).containsExactly("UpdateItem");
        Attempt<?> renewed = Await.get(locks.renew(LockKey.of("default", "new"), lease.leaseId()));
        assertThat(renewed).isInstanceOf(Attempt.Done.class);
        assertThat(requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(lease.release()).isTrue();
        assertThat(requests()).containsExactly("UpdateItem", "UpdateItem", "UpdateItem");
    }

    @Test
    @DisplayName(
            "a free lock another process used: one to acquire, without having seen it, once its token is in the past")
    void usedElsewhere() throws InterruptedException {
        Instant last;
        try (LockClient other = Locks.plain(table, Dynamo.port());
                Lease lease = take(other, "used")) {
            last = Times.ofMicros(lease.token().value());
        }
        Await.until(
                "it is in the past",
                () -> store.clock().now().orElseThrow().latest().isAfter(last));
        take(locks, "used").close();
        assertThat(requests()).containsExactly("UpdateItem", "UpdateItem");
    }

    @Test
    @DisplayName(
            "a free lock with a once-only marker: one to acquire, after which the marker is still not to be removed")
    void onceOnly() throws Exception {
        try (LockClient other = Locks.plain(table, Dynamo.port())) {
            other.runOnce("setup", "v1", lease -> {});
        }
        long last =
                Long.parseLong(Dynamo.item(table, "default:setup").get("fence").n());
        Await.until(
                "it is in the past",
                () -> store.clock().now().orElseThrow().latest().isAfter(Times.ofMicros(last)));
        line.forget();
        Lease lease = take(locks, "setup");
        assertThat(requests()).containsExactly("UpdateItem");
        assertThat(Dynamo.item(table, "default:setup"))
                .containsEntry("expiry", LockItem.number(Times.NEVER.getEpochSecond()));
        Await.get(locks.renew(LockKey.of("default", "setup"), lease.leaseId()));
        assertThat(Dynamo.item(table, "default:setup")).doesNotContainKey("expiry");
    }

    @Test
    @DisplayName("a lock somebody holds: one, whose refusal says who")
    void held() throws InterruptedException {
        try (LockClient other = Locks.plain(table, Dynamo.port());
                Lease lease = take(other, "held")) {
            Attempt<Lease> busy = locks.tryAcquire("held");
            assertThat(busy).isInstanceOf(Attempt.Busy.class);
            assertThat(((Attempt.Busy<Lease>) busy).holders()).hasSize(1);
            assertThat(requests()).containsExactly("UpdateItem");
        }
    }

    @Test
    @DisplayName("a lock whose holder's lease has ended: two, the second on what the first brought")
    void expired() throws InterruptedException {
        FaultLine dead = new FaultLine();
        LockClient other = Locks.plain(table, dead.port());
        Lease lease = other.acquire("over", o -> o.lease(Duration.ofMillis(200)));
        dead.close(); // so it cannot give the lock back
        Await.until(
                "its time is over for everybody",
                () -> store.clock()
                        .now()
                        .orElseThrow()
                        .earliest()
                        .isAfter(lease.expiresAt().orElseThrow()));
        line.forget();
        take(locks, "over");
        assertThat(requests()).containsExactly("UpdateItem", "UpdateItem");
        other.close();
    }

    @Test
    @DisplayName("a failed request is sent once: trying again is the engine's decision")
    void sentOnce() {
        line.always(FaultLine.Fault.refused(500, "InternalServerError"));
        assertThat(store.read(LockKey.of("default", "x").record())).failsWithin(Await.LIMIT);
        assertThat(requests()).containsExactly("GetItem");
    }

    @Test
    @DisplayName("a waiter looks as often as it was told, however many wait with it")
    void waiting() throws Exception {
        try (LockClient other = Locks.plain(table, Dynamo.port());
                Lease lease = take(other, "wanted")) {
            List<CompletableFuture<Attempt<Lease>>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(
                        locks.acquireAsync(LockKey.of("default", "wanted"), o -> o.waitUpTo(Duration.ofMinutes(1))));
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            Await.until(
                    "they wait",
                    () -> locks.inspect()
                                    .get(LockKey.of("default", "wanted"))
                                    .waiters()
                                    .size()
                            == 5);
            line.forget();
            long start = System.nanoTime();
            Await.until("it looked", () -> requests().size() >= 4);
            long looks = (System.nanoTime() - start)
                    / DynamoConfig.DEFAULT.pollInterval().toNanos();
            assertThat(looks).as("poll intervals that four looks took").isGreaterThanOrEqualTo(2);
            assertThat(requests()).contains("GetItem");
        }
    }

    @Test
    @DisplayName(
            "the longer a lock is waited for, the less it is looked at; its release is still seen by the next look")
    void longWait() throws Exception {
        DynamoConfig eager = DynamoConfig.DEFAULT.withHistory(false).withPollInterval(POLL);
        try (LockClient other = Locks.plain(table, Dynamo.port());
                LockClient patient = LockClient.on(Locks.open(table, line.port(), eager), ClientConfig.DEFAULT)) {
            Lease lease = take(other, "wanted");
            CompletableFuture<Attempt<Lease>> waiting = patient.acquireAsync(
                            LockKey.of("default", "wanted"), o -> o.lease(LONG).waitUpTo(Duration.ofMinutes(2)))
                    .toCompletableFuture();
            Await.until(
                    "it waits",
                    () -> !other.inspect()
                            .get(LockKey.of("default", "wanted"))
                            .waiters()
                            .isEmpty());
            long start = System.nanoTime();
            Await.until("it waited long", () -> System.nanoTime() - start > POLL.toNanos() * 40);
            line.forget();
            long rested = System.nanoTime();
            Await.until("it looked five times", () -> looks() >= 5);
            assertThat(Duration.ofNanos(System.nanoTime() - rested))
                    .as("time for five looks")
                    .isGreaterThan(POLL.multipliedBy(4 * 3)); // four pauses, each of four times the interval at rest

            lease.close();
            line.forget();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isInstanceOf(Attempt.Done.class);
            assertThat(looks()).as("looks until it knew").isLessThanOrEqualTo(2);
        }
    }

    private long looks() {
        return requests().stream().filter("GetItem"::equals).count();
    }
}
