package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Listing records. */
abstract class ScanCases extends StoreCases {

    @Test
    @DisplayName("an empty store has one empty page")
    void nothingToList() {
        assertThat(keys(ScanRequest.all())).isEmpty();
    }

    @Test
    @DisplayName("all records come, in the order of namespace and name, whole")
    void allInOrder() {
        List<LockRecord> records = new ArrayList<>();
        for (String name : List.of("b", "a", "a b", "B", "a/b", "ab", "é", "日本", "a'b", "a%b", "10", "9")) {
            records.add(random.record(new RecordKey("two", name)));
            records.add(random.record(new RecordKey("one", name)));
            records.add(random.record(new RecordKey("One", name)));
        }
        records.forEach(this::put);
        records.sort((a, b) -> a.key().compareTo(b.key()));

        assertThat(all(ScanRequest.all())).isEqualTo(records);
    }

    @Test
    @DisplayName("pages of any size together give each record once")
    void paging() {
        List<RecordKey> expected = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            RecordKey key = new RecordKey(i % 3 == 0 ? "a" : "b", "name " + i);
            put(random.record(key));
            expected.add(key);
        }
        expected.sort(null);
        for (int limit : new int[] {1, 2, 3, 16, 17, 18}) {
            assertThat(keys(ScanRequest.all().limit(limit)))
                    .as("limit %d", limit)
                    .isEqualTo(expected);
        }
    }

    @Test
    @DisplayName("a page never has more than was asked for")
    void pagesAreBounded() {
        for (int i = 0; i < 5; i++) {
            put(random.record(new RecordKey("a", "name" + i)));
        }
        Page page = Await.get(store().scan(ScanRequest.all().limit(2)));
        assertThat(page.records()).hasSizeLessThanOrEqualTo(2);
        assertThat(page.next()).isPresent();
    }

    @Test
    @DisplayName("a record written or deleted between two pages disturbs no other")
    void pagingWhileOthersWrite() {
        for (int i = 1; i < 8; i += 2) {
            put(random.record(new RecordKey("a", "name" + i)));
        }
        ScanRequest request = ScanRequest.all().limit(2);
        Page first = Await.get(store().scan(request));
        put(random.record(new RecordKey("a", "name0")));
        List<RecordKey> seen = new ArrayList<>();
        first.records().forEach(found -> seen.add(found.record().key()));
        seen.addAll(keys(request.from(first.next())));
        assertThat(seen.stream().map(RecordKey::name)).containsExactly("name1", "name3", "name5", "name7");
    }

    @Test
    @DisplayName("a namespace is listed alone, in its own case")
    void byNamespace() {
        put(random.record(new RecordKey("a", "x")));
        put(random.record(new RecordKey("A", "x")));
        put(random.record(new RecordKey("ab", "x")));
        assertThat(keys(ScanRequest.all().in("a").limit(10))).containsExactly(new RecordKey("a", "x"));
        assertThat(keys(ScanRequest.all().in("none").limit(10))).isEmpty();
    }

    @Test
    @DisplayName("a prefix is taken literally: wildcards, quotes and case mean themselves")
    void byPrefix() {
        List<String> names = List.of(
                "a%b1", "a%b2", "a_b1", "axb1", "A%b1", "a\\b1", "a'b1", "a\"b", "a*b", "a[b", "é1", "😀1", "z");
        names.forEach(name -> put(random.record(new RecordKey("default", name))));
        assertThat(names("a%b")).containsExactlyInAnyOrder("a%b1", "a%b2");
        assertThat(names("a_")).containsExactlyInAnyOrder("a_b1");
        assertThat(names("a\\")).containsExactlyInAnyOrder("a\\b1");
        assertThat(names("a'")).containsExactlyInAnyOrder("a'b1");
        assertThat(names("a*")).containsExactlyInAnyOrder("a*b");
        assertThat(names("a[")).containsExactlyInAnyOrder("a[b");
        assertThat(names("A")).containsExactlyInAnyOrder("A%b1");
        assertThat(names("é")).containsExactlyInAnyOrder("é1");
        assertThat(names("😀")).containsExactlyInAnyOrder("😀1");
        assertThat(names("%")).isEmpty();
        assertThat(names("")).hasSize(names.size());
    }

    @Test
    @DisplayName("a prefix pages like everything else")
    void prefixPages() {
        for (int i = 0; i < 9; i++) {
            put(random.record(new RecordKey("default", (i % 2 == 0 ? "even" : "odd") + i)));
        }
        assertThat(keys(ScanRequest.all().in("default").startingWith("even").limit(2)).stream()
                        .map(RecordKey::name))
                .containsExactly("even0", "even2", "even4", "even6", "even8");
    }

    @Test
    @DisplayName("only the busy: records somebody holds or waits for")
    void onlyBusy() {
        put(random.idle(new RecordKey("a", "idle"), 5));
        put(random.busy(new RecordKey("a", "held"), 5));
        put(random.waitedFor(new RecordKey("a", "waited-for"), 5));
        for (int limit : new int[] {1, 10}) {
            assertThat(keys(ScanRequest.all().limit(limit).busy()).stream().map(RecordKey::name))
                    .containsExactly("held", "waited-for");
        }
    }

    @Test
    @DisplayName("only the long idle: no holder, no waiter, and the last token older than that")
    void onlyIdleSince() {
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        long micros = Times.micros(since);
        put(random.idle(new RecordKey("a", "at"), micros));
        put(random.idle(new RecordKey("a", "before"), micros - 1));
        put(random.idle(new RecordKey("a", "long-before"), 7));
        put(random.idle(new RecordKey("a", "after"), micros + 1));
        put(random.busy(new RecordKey("a", "held"), 7));
        assertThat(keys(ScanRequest.idleSince(since)).stream().map(RecordKey::name))
                .containsExactly("before", "long-before");
    }

    @Test
    @DisplayName("a record that became idle leaves the busy list, and one that became busy joins it")
    void busyFollowsTheRecord() {
        Versioned there = put(random.busy(KEY, 5));
        assertApplied(write(stamped(there, random.idle(KEY, 6))));
        assertThat(keys(ScanRequest.all().busy())).isEmpty();
        assertApplied(write(stamped(read(KEY).orElseThrow(), random.busy(KEY, 7))));
        assertThat(keys(ScanRequest.all().busy())).containsExactly(KEY);
    }

    @Test
    @DisplayName(
            "a cursor that is from no listing is a place between keys, or the listing fails and says so; nothing is thrown")
    void foreignCursor() {
        put(random.idle(KEY, 5));
        for (String cursor : List.of("nonsense", "\u0000", "a\u0000", "")) {
            CompletionStage<Page> asked = store().scan(ScanRequest.all().from(cursor));
            Throwable failure = catchThrowable(() -> Await.get(asked));
            if (failure != null) {
                assertThat(failure).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    @DisplayName("a page size outside its bounds is refused, naming both")
    void limitIsBounded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanRequest.all().limit(0))
                .withMessageContaining("'0'")
                .withMessageContaining("1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanRequest.all().limit(1_001))
                .withMessageContaining("'1001'")
                .withMessageContaining("1000");
    }

    private List<String> names(String prefix) {
        return keys(ScanRequest.all().in("default").startingWith(prefix).limit(100)).stream()
                .map(RecordKey::name)
                .toList();
    }

    private List<RecordKey> keys(ScanRequest request) {
        return all(request).stream().map(LockRecord::key).toList();
    }

    private List<LockRecord> all(ScanRequest request) {
        List<LockRecord> records = new ArrayList<>();
        Optional<String> cursor = request.cursor();
        for (int pages = 0; pages < 1_000; pages++) {
            Page page = Await.get(store().scan(request.from(cursor)));
            page.records().forEach(found -> records.add(found.record()));
            cursor = page.next();
            if (cursor.isEmpty()) {
                return records;
            }
        }
        throw new AssertionError("the pages do not end");
    }
}
