package dev.holdfast.dynamodb.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.dynamodb.Dynamo;
import dev.holdfast.dynamodb.DynamoConfig;
import dev.holdfast.dynamodb.FaultLine;
import dev.holdfast.dynamodb.Locks;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("a lock of LockServiceCentral in the same table")
class CentralItemTest {
    private static final RecordKey RUN = new RecordKey("billing", "invoice-run");
    private static final LockKey KEY = LockKey.of("billing", "invoice-run");
    private static final String ID = "billing:invoice-run";
    private static final LeaseId MINE = LeaseId.ofInstance("alice", "pod-1");
    private static final Duration LONG = Duration.ofMinutes(10);

    private final FaultLine line = new FaultLine();
    private final String table = Dynamo.freshTable();
    private RecordStore store;
    private LockClient locks;

    @BeforeEach
    void open() {
        store = Locks.open(
                table, line.port(), DynamoConfig.DEFAULT.withHistory(false).withPollInterval(Duration.ofMillis(50)));
        locks = LockClient.on(store, ClientConfig.DEFAULT);
    }

    @AfterEach
    void close() {
        locks.close();
        line.close();
    }

    // ---- what LockServiceCentral does

    private static long second() {
        return Instant.now().getEpochSecond();
    }

    private Map<String, AttributeValue> put(String owner, String instanceId, long leaseDuration, long expiry) {
        Map<String, AttributeValue> item = Map.of(
                "lockId", AttributeValue.fromS(ID),
                "namespace", AttributeValue.fromS("billing"),
                "lockName", AttributeValue.fromS("invoice-run"),
                "owner", AttributeValue.fromS(owner),
                "instanceId", AttributeValue.fromS(instanceId),
                "leaseDuration", LockItem.number(leaseDuration),
                "expiry", LockItem.number(expiry));
        Dynamo.client().putItem(put -> put.tableName(table).item(item)).join();
        return item;
    }

    private Map<String, AttributeValue> live() {
        return put("alice", "pod-1", 600, second() + 500);
    }

    private void renewedBy(long seconds) {
        Dynamo.client()
                .updateItem(update -> update.tableName(table)
                        .key(LockItem.key(RUN))
                        .conditionExpression("attribute_exists(lockId) AND expiry >= :now AND #owner = :owner")
                        .updateExpression("SET leaseDuration = leaseDuration + :more, expiry = expiry + :more")
                        .expressionAttributeNames(Map.of("#owner", "owner"))
                        .expressionAttributeValues(Map.of(
                                ":more", LockItem.number(seconds),
                                ":now", LockItem.number(second()),
                                ":owner", AttributeValue.fromS("alice"))))
                .join();
    }

    private void released() {
        Dynamo.client()
                .deleteItem(delete -> delete.tableName(table).key(LockItem.key(RUN)))
                .join();
    }

    private Map<String, AttributeValue> item() {
        return Dynamo.item(table, ID);
    }

    private void isUntouched(Map<String, AttributeValue> central) {
        for (String name : CentralItem.ATTRIBUTES) {
            assertThat(item()).containsEntry(name, central.get(name));
        }
    }

    // ---- the lock is free

    @Test
    @DisplayName("is taken over when it has expired, in two requests, with a token above the clock")
    void expired() throws InterruptedException {
        locks.acquire("warm").close();
        put("alice", "pod-1", 30, second() - 60);
        long before = Times.micros(store.clock().now().orElseThrow().earliest());
        line.forget();
        Lease lease = locks.acquire(KEY, o -> o.lease(LONG).owner("bob"));

        assertThat(line.passed().stream().filter("UpdateItem"::equals)).hasSize(2);
        assertThat(lease.token().value()).isGreaterThan(before);
        assertThat(item()).containsEntry("owner", AttributeValue.fromS("bob")).containsKeys("stamp", "record");
        assertThat(lease.release()).isTrue();
        assertThat(item()).doesNotContainKeys("owner", "instanceId", "heldElsewhere");
    }

    @Test
    @DisplayName("is not taken over if it was acquired again in the moment before")
    void acquiredAgain() {
        put("alice", "pod-1", 30, second() - 60);
        Versioned seen = Await.get(store.read(RUN)).orElseThrow();
        Map<String, AttributeValue> again = live();
        LockRecord ours = LockRecord.empty(RUN).stamped(new Stamp(77));
        Precondition unchanged = new Precondition.Stamped(seen.record().stamp(), seen.tag(), Optional.empty());
        WriteResult result =
                Await.get(store.write(List.of(Write.of(unchanged, ours)))).get(0);

        assertThat(result).isInstanceOfSatisfying(WriteResult.Refused.class, refused -> {
            LockRecord current = refused.current().orElseThrow().record();
            assertThat(current.holds()).hasSize(1);
            assertThat(current.stamp()).isNotEqualTo(seen.record().stamp());
        });
        assertThat(item()).isEqualTo(again);
    }

    // ---- the lock is held

    @Test
    @DisplayName("is held by its owner until the end of its last second, and nothing is written")
    void held() throws InterruptedException {
        Map<String, AttributeValue> central = live();
        Attempt<Lease> attempt = locks.tryAcquire(KEY, o -> {});

        assertThat(attempt).isInstanceOf(Attempt.Busy.class);
        assertThat(((Attempt.Busy<Lease>) attempt).holders()).hasSize(1);
        LockView view = locks.inspect().get(KEY);
        assertThat(view.holders()).singleElement().satisfies(holder -> {
            assertThat(holder.owner()).isEqualTo("alice");
            assertThat(holder.expiresAt())
                    .contains(Instant.ofEpochSecond(
                            Long.parseLong(central.get("expiry").n()) + 1));
        });
        assertThat(item()).isEqualTo(central);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"pod 1 of 3", "ab", "x.y"})
    @DisplayName("is held also by an instance that could be no caller of ours, and for longer than ours may")
    void strangeNames(String instanceId) throws InterruptedException {
        Map<String, AttributeValue> central = put("alice", instanceId, 3 * 86_400, second() + 500);
        assertThat(locks.tryAcquire(KEY, o -> {})).isInstanceOf(Attempt.Busy.class);
        assertThat(item()).isEqualTo(central);
    }

    @Test
    @DisplayName("can be taken from its holder by force")
    void forced() throws InterruptedException {
        live();
        Token token = locks.inspect().get(KEY).holders().get(0).token();
        locks.inspect().forceUnlock(KEY, token, "it is gone");
        try (Lease lease = locks.acquire(KEY, o -> {})) {
            assertThat(lease.token()).isGreaterThan(token);
        }
    }

    @Nested
    @DisplayName("while somebody waits for it")
    class Waiting {
        private CompletableFuture<Attempt<Lease>> waiting() {
            CompletableFuture<Attempt<Lease>> waiting = locks.acquireAsync(
                            KEY, o -> o.lease(LONG).owner("bob").waitUpTo(Duration.ofMinutes(2)))
                    .toCompletableFuture();
            Await.until("it waits", () -> !locks.inspect().get(KEY).waiters().isEmpty());
            return waiting;
        }

        private Lease granted(CompletableFuture<Attempt<Lease>> waiting) throws Exception {
            Attempt<Lease> attempt = waiting.get(60, TimeUnit.SECONDS);
            assertThat(attempt).isInstanceOf(Attempt.Done.class);
            return ((Attempt.Done<Lease>) attempt).value();
        }

        @Test
        @DisplayName("keeps what its holder needs, and is handed over when its time is over, not before")
        void ends() throws Exception {
            long expiry = second() + 4;
            Map<String, AttributeValue> central = put("alice", "pod-1", 30, expiry);
            CompletableFuture<Attempt<Lease>> waiting = waiting();
            isUntouched(central);
            assertThat(item()).containsKeys("record", "heldElsewhere");

            Lease lease = granted(waiting);
            assertThat(Instant.now()).isAfter(Instant.ofEpochSecond(expiry + 1));
            assertThat(lease.token().value()).isGreaterThan(expiry * 1_000_000);
            assertThat(item())
                    .containsEntry("owner", AttributeValue.fromS("bob"))
                    .doesNotContainKey("heldElsewhere");
        }

        @Test
        @DisplayName("is not handed over at its old end when it was renewed")
        void renewed() throws Exception {
            long expiry = second() + 4;
            put("alice", "pod-1", 30, expiry);
            CompletableFuture<Attempt<Lease>> waiting = waiting();
            renewedBy(3);

            granted(waiting);
            assertThat(Instant.now()).isAfter(Instant.ofEpochSecond(expiry + 3 + 1));
        }

        @Test
        @DisplayName("is handed over as soon as it is released")
        void isReleased() throws Exception {
            live();
            CompletableFuture<Attempt<Lease>> waiting = waiting();
            released();
            granted(waiting);
        }

        @Test
        @DisplayName("is waited for anew when it was acquired again, which forgets who waits")
        void isAcquiredAgain() throws Exception {
            live();
            CompletableFuture<Attempt<Lease>> waiting = waiting();
            long expiry = second() + 3;
            put("carol", "pod-7", 3, expiry);
            granted(waiting);
            assertThat(Instant.now()).isAfter(Instant.ofEpochSecond(expiry + 1));
        }

        @Test
        @DisplayName("can be renewed and released by its holder here")
        void goesOnHere() throws Exception {
            live();
            CompletableFuture<Attempt<Lease>> waiting = waiting();
            assertThat(Await.get(locks.renew(KEY, MINE, LONG))).isInstanceOf(Attempt.Done.class);
            assertThat(item())
                    .doesNotContainKey("heldElsewhere")
                    .containsEntry("owner", AttributeValue.fromS("alice"))
                    .containsEntry("instanceId", AttributeValue.fromS("pod-1"));
            assertThat(waiting).isNotDone();
            assertThat(Await.get(locks.release(KEY, MINE))).isTrue();
            granted(waiting);
        }
    }

    // ---- its holder goes on with us

    @Test
    @DisplayName("is renewed by the same owner and instance, and is one of ours from then on")
    void renewedHere() throws InterruptedException {
        live();
        assertThat(Await.get(locks.renew(KEY, MINE, LONG))).isInstanceOf(Attempt.Done.class);
        assertThat(item())
                .containsKeys("stamp", "record")
                .containsEntry("owner", AttributeValue.fromS("alice"))
                .containsEntry("instanceId", AttributeValue.fromS("pod-1"))
                .containsEntry("leaseId", AttributeValue.fromS(MINE.value()));
        assertThat(locks.tryAcquire(KEY, o -> {})).isInstanceOf(Attempt.Busy.class);
    }

    @Test
    @DisplayName("is granted again to the same owner and instance, with the token of its grant")
    void acquiredHere() throws InterruptedException {
        long granted = Long.parseLong(live().get("expiry").n()) - 600;
        Lease lease = locks.acquire(KEY, o -> o.leaseId(MINE).owner("alice").lease(LONG));
        assertThat(lease.token()).isEqualTo(new Token(granted * 1_000_000));
        assertThat(lease.release()).isTrue();
    }

    @Test
    @DisplayName("is released by the same owner and instance, and by no other")
    void releasedHere() throws InterruptedException {
        Map<String, AttributeValue> central = live();
        assertThat(Await.get(locks.release(KEY, LeaseId.ofInstance("alice", "pod-2"))))
                .isFalse();
        assertThat(Await.get(locks.release(KEY, LeaseId.ofInstance("bob", "pod-1"))))
                .isFalse();
        assertThat(item()).isEqualTo(central);
        assertThat(Await.get(locks.release(KEY, MINE))).isTrue();
        locks.acquire(KEY, o -> {}).close();
    }

    @Test
    @DisplayName("is not renewed when it has expired")
    void tooLate() {
        put("alice", "pod-1", 30, second() - 60);
        assertThat(Await.get(locks.renew(KEY, MINE, LONG))).isInstanceOf(Attempt.Lost.class);
    }

    // ---- lists

    @Test
    @DisplayName("is listed, as in use while it is, and is not cleaned up")
    void listed() {
        live();
        assertThat(keys(ScanRequest.all())).contains(RUN);
        assertThat(keys(ScanRequest.all().busy())).contains(RUN);

        Map<String, AttributeValue> central = put("alice", "pod-1", 30, second() - 60);
        assertThat(keys(ScanRequest.all())).contains(RUN);
        assertThat(keys(ScanRequest.all().busy())).doesNotContain(RUN);
        assertThat(keys(ScanRequest.idleSince(Instant.now().plusSeconds(60)))).doesNotContain(RUN);
        locks.inspect().cleanup(false);
        assertThat(item()).isEqualTo(central);
    }

    private List<RecordKey> keys(ScanRequest request) {
        return Await.get(store.scan(request)).records().stream()
                .map(found -> found.record().key())
                .toList();
    }
}
