package dev.holdfast.dynamodb.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.dynamodb.Dynamo;
import dev.holdfast.dynamodb.DynamoConfig;
import dev.holdfast.dynamodb.FaultLine;
import dev.holdfast.dynamodb.ListingIndex;
import dev.holdfast.dynamodb.Locks;
import dev.holdfast.dynamodb.LogSpy;
import dev.holdfast.dynamodb.ManyLocks;
import dev.holdfast.dynamodb.Message;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.ScanRequest.Which;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("a listing of one namespace")
class ListingIndexTest {
    private static final DynamoConfig PATIENT =
            DynamoConfig.DEFAULT.withHistory(false).withCallTimeout(Duration.ofMinutes(1));
    private static final Pattern READ = Pattern.compile("\"ScannedCount\":\\s*(\\d+)");

    private final FaultLine line = new FaultLine();
    private final AtomicInteger read = new AtomicInteger();

    @AfterEach
    void close() {
        line.close();
    }

    // ---- the same as a scan

    @Test
    @DisplayName("from the index is the same as from the whole table, whatever is asked for, in pages of any size")
    void same() throws InterruptedException {
        String table = Dynamo.indexedTable();
        List<RecordKey> keys = new ArrayList<>();
        for (String namespace : List.of("a", "b")) {
            for (String name : List.of("x", "X", "x/1", "x%", "x1", "x10", "x2", "é", "日本", "ｶ", "😀", "😀1", "z")) {
                keys.add(new RecordKey(namespace, name));
            }
        }
        new ManyLocks(table).write(keys);
        try (RecordStore indexed = Locks.open(table, line.port(), PATIENT);
                RecordStore scanned = Locks.open(table, Dynamo.port(), PATIENT.withIndex(ListingIndex.OFF))) {
            line.forget();
            Which idle = new Which(false, Optional.of(Instant.parse("2100-01-01T00:00:00Z")));
            for (String namespace : List.of("a", "none")) {
                for (String prefix : List.of("", "x", "x1", "😀", "nothing")) {
                    for (Which which : List.of(Which.ALL, new Which(true, Optional.empty()), idle)) {
                        for (int limit : new int[] {1, 5, 100}) {
                            ScanRequest request =
                                    new ScanRequest(Optional.of(namespace), prefix, which, Optional.empty(), limit);
                            assertThat(all(indexed, request)).as("%s", request).isEqualTo(all(scanned, request));
                        }
                    }
                }
            }
            assertThat(all(indexed, in("a", "", 3))).hasSize(keys.size() / 2);
            assertThat(line.passed()).contains("Query").doesNotContain("Scan");
        }
    }

    @Test
    @DisplayName("goes on after a lock that was deleted, and from a cursor that is outside of what is asked for")
    void goesOn() throws InterruptedException {
        String table = Dynamo.indexedTable();
        new ManyLocks(table)
                .write(List.of("1", "2", "3", "4").stream()
                        .map(name -> new RecordKey("b", name))
                        .toList());
        try (RecordStore store = Locks.open(table, line.port(), PATIENT)) {
            Page first = Await.get(store.scan(in("b", "", 2)));
            Dynamo.client()
                    .deleteItem(delete -> delete.tableName(table).key(LockItem.key(AttributeValue.fromS("b:2"))))
                    .join();
            assertThat(names(all(store, in("b", "", 2).from(first.next())))).containsExactly("3", "4");
            Optional<String> before = Optional.of(Page.cursor(new RecordKey("a", "9")));
            assertThat(names(all(store, in("b", "", 9).from(before)))).containsExactly("1", "3", "4");
            Optional<String> behind = Optional.of(Page.cursor(new RecordKey("c", "0")));
            assertThat(all(store, in("b", "", 9).from(behind))).isEmpty();
            Optional<String> other = Optional.of(Page.cursor(new RecordKey("b", "2")));
            assertThat(names(all(store, in("b", "4", 9).from(other)))).containsExactly("4");
            assertThat(store.scan(in("b", "", 9).from(Optional.of("nonsense")))).failsWithin(Await.LIMIT);
        }
    }

    // ---- what it costs

    @Test
    @DisplayName("reads what it lists, not what other namespaces have")
    void readsLittle() throws InterruptedException {
        String table = Dynamo.indexedTable();
        ManyLocks many = new ManyLocks(table);
        many.write(IntStream.range(0, 2_000)
                .mapToObj(i -> new RecordKey("other-" + i % 7, "lock-" + i))
                .toList());
        many.write(IntStream.range(0, 50)
                .mapToObj(i -> new RecordKey("mine", (i < 40 ? "a-" : "b-") + i))
                .toList());
        try (RecordStore store = Locks.open(table, line.port(), PATIENT)) {
            count();
            assertThat(all(store, in("mine", "", 1_000))).hasSize(50);
            assertThat(read).as("items read for all of it").hasValue(50);
            count();
            assertThat(all(store, in("mine", "", 10))).hasSize(50);
            assertThat(read).as("items read in five pages").hasValueLessThanOrEqualTo(55);
            count();
            assertThat(all(store, in("mine", "b-", 1_000))).hasSize(10);
            assertThat(read).as("items read for a prefix").hasValue(10);
            count();
            assertThat(all(store, in("mine", "", 1_000).busy())).hasSizeBetween(1, 49);
            assertThat(read).as("items read for those in use").hasValue(50);
        }
        try (RecordStore without = Locks.open(table, line.port(), PATIENT.withIndex(ListingIndex.OFF))) {
            count();
            assertThat(all(without, in("mine", "", 1_000))).hasSize(50);
            assertThat(read).as("items read without the index").hasValue(2_050);
        }
    }

    /** From now on, counts the items that DynamoDB reads for its answers. */
    private void count() {
        read.set(0);
        line.always(request -> {
            Message answer = request.forward();
            Matcher count = READ.matcher(answer.body());
            if (count.find()) {
                read.addAndGet(Integer.parseInt(count.group(1)));
            }
            request.answer(answer);
        });
    }

    // ---- when it is not used

    @Test
    @DisplayName("of all namespaces reads the table itself, as does whoever looks for expired and unused locks")
    void wholeTable() {
        try (RecordStore store = Locks.open(Dynamo.indexedTable(), line.port(), PATIENT)) {
            line.forget();
            Await.get(store.scan(ScanRequest.all()));
            Await.get(store.scan(ScanRequest.all().busy()));
            Await.get(store.scan(ScanRequest.idleSince(Instant.EPOCH)));
            assertThat(line.passed()).containsExactly("Scan", "Scan", "Scan");
        }
    }

    @Test
    @DisplayName("reads the whole table where there is no index")
    void noIndex() {
        try (RecordStore store = Locks.open(Dynamo.freshTable(), line.port(), PATIENT)) {
            line.forget();
            Await.get(store.scan(in("a", "", 10)));
            assertThat(line.passed()).containsExactly("Scan");
        }
    }

    @Test
    @DisplayName("reads the whole table when the index may not be read, or is gone, and says so once")
    void notAllowed() throws InterruptedException {
        String table = Dynamo.indexedTable();
        new ManyLocks(table).write(List.of(new RecordKey("a", "lock")));
        try (LogSpy log = new LogSpy(Listings.class);
                RecordStore store = Locks.open(table, line.port(), PATIENT)) {
            line.next(Integer.MAX_VALUE, "Query", FaultLine.Fault.refused(400, "AccessDeniedException"));
            line.forget();
            assertThat(all(store, in("a", "", 10))).hasSize(1);
            assertThat(all(store, in("a", "", 10))).hasSize(1);
            assertThat(line.passed()).containsExactly("Query", "Scan", "Scan");
            assertThat(log.heard())
                    .singleElement()
                    .asString()
                    .contains("WARN", ListingIndex.DEFAULT_NAME, table, "read the whole table", "may not do that");
        }
        line.next(
                1,
                "Query",
                FaultLine.Fault.refused(400, "ValidationException")); // as DynamoDB says it of one that is gone
        try (RecordStore store = Locks.open(table, line.port(), PATIENT)) {
            assertThat(all(store, in("a", "", 10))).hasSize(1);
        }
    }

    @Test
    @DisplayName("that is throttled fails for now, and tries the index again: a scan would make it worse")
    void throttled() {
        try (RecordStore store = Locks.open(Dynamo.indexedTable(), line.port(), PATIENT)) {
            line.next(1, "Query", FaultLine.Fault.refused(400, "ProvisionedThroughputExceededException"));
            line.forget();
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> Await.get(store.scan(in("a", "", 10))));
            assertThat(all(store, in("a", "", 10))).isEmpty();
            assertThat(line.passed()).containsExactly("Query", "Query");
        }
    }

    // ---- an index is a little behind

    @Test
    @DisplayName("may be a little old, and decides nothing: what it shows is compared when something is done about it")
    void old() throws InterruptedException {
        String table = Dynamo.indexedTable();
        try (LockClient other = Locks.plain(table, Dynamo.port());
                LockClient locks = Locks.plain(table, line.port())) {
            AtomicReference<Message> kept = new AtomicReference<>();
            line.next(1, "Query", request -> {
                kept.set(request.forward());
                request.answer(kept.get());
            });
            Lease first = other.acquire("job");
            assertThat(held(locks)).hasSize(1);
            first.close();
            Lease second = other.acquire("job");

            line.next(Integer.MAX_VALUE, "Query", request -> request.answer(kept.get()));
            assertThat(held(locks).get(0).holders().get(0).token()).isEqualTo(first.token());
            assertThat(locks.inspect().forceUnlock(LockKey.of("default", "job"), first.token(), "seen in a list"))
                    .isInstanceOf(Attempt.Busy.class);
            assertThat(locks.tryAcquire("job")).isInstanceOf(Attempt.Busy.class);
            locks.inspect().cleanup(false);
            assertThat(second.isValid()).isTrue();
            second.close();
            assertThat(locks.tryAcquire("job")).isInstanceOf(Attempt.Done.class);
            assertThat(held(locks)).hasSize(1);
        }
    }

    private static List<LockView> held(LockClient locks) {
        return locks.inspect().list(in("default", "", 10).busy()).locks();
    }

    // ---- names

    @Test
    @DisplayName("beside it, a lock whose name is too long for an index is refused by name, and nothing is granted")
    void longName() throws InterruptedException {
        String name = "日".repeat(400);
        try (LockClient plain = Locks.plain(Dynamo.freshTable(), Dynamo.port())) {
            plain.acquire(name).close();
        }
        try (LockClient locks = Locks.plain(Dynamo.indexedTable(), Dynamo.port())) {
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> locks.tryAcquire(name))
                    .withMessageContaining("日日日")
                    .withMessageContaining("1024 bytes")
                    .withMessageContaining("index");
        }
    }

    // ---- short ways

    private static ScanRequest in(String namespace, String prefix, int limit) {
        return new ScanRequest(Optional.of(namespace), prefix, Which.ALL, Optional.empty(), limit);
    }

    private static List<LockRecord> all(RecordStore store, ScanRequest request) {
        List<LockRecord> records = new ArrayList<>();
        Optional<String> cursor = request.cursor();
        for (int pages = 0; pages < 100; pages++) {
            Page page = Await.get(store.scan(request.from(cursor)));
            assertThat(page.records()).hasSizeLessThanOrEqualTo(request.limit());
            page.records().forEach(found -> records.add(found.record()));
            cursor = page.next();
            if (cursor.isEmpty()) {
                return records;
            }
        }
        throw new AssertionError("the pages do not end");
    }

    private static List<String> names(List<LockRecord> records) {
        return records.stream().map(record -> record.key().name()).toList();
    }
}
