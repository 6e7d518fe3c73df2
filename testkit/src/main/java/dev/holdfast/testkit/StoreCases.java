package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.fixture.RandomRecords;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.fixture.SurroundingTests;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.TestInstances;

/** What all groups of {@link RecordStoreContract} share: a fixture per test, and short ways to read and write. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a defect may hang; the build must not
@ExtendWith(SurroundingTests.class)
abstract class StoreCases {
    static final RecordKey KEY = new RecordKey("default", "lock");

    private Optional<StoreFixture> opened = Optional.empty();
    private Optional<RecordStore> first = Optional.empty();
    final RandomRecords random = new RandomRecords(42);

    @BeforeEach
    void openFixture(TestInstances tests) throws Exception {
        StoreFixture fixture =
                tests.findInstance(ListingContract.class).orElseThrow().fixture();
        opened = Optional.of(fixture);
        first = Optional.of(fixture.open());
    }

    @AfterEach
    void closeFixture() {
        first.ifPresent(RecordStore::close);
        opened.ifPresent(StoreFixture::close);
    }

    StoreFixture fixture() {
        return opened.orElseThrow();
    }

    RecordStore store() {
        return first.orElseThrow();
    }

    Optional<Versioned> read(RecordKey key) {
        return Await.get(store().read(key));
    }

    WriteResult write(Write write) {
        return write(store(), write);
    }

    static WriteResult write(RecordStore store, Write write) {
        List<WriteResult> results = Await.get(store.write(List.of(write)));
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    /** Stores the record, which must not be there. */
    Versioned put(LockRecord record, LockEvent... events) {
        WriteResult result = write(Write.create(record).withEvents(List.of(events)));
        assertThat(result).isInstanceOf(WriteResult.Applied.class);
        return read(record.key()).orElseThrow();
    }

    static Write absent(LockRecord record) {
        return Write.create(record);
    }

    static Write stamped(Versioned expected, LockRecord next) {
        return Write.of(is(expected), next);
    }

    static Precondition.Stamped is(Versioned expected) {
        return Precondition.Stamped.as(expected);
    }

    /** As stored, but under a stamp nobody wrote. */
    static Versioned elsewhere(Versioned stored) {
        Stamp other = new Stamp(stored.record().stamp().value() ^ 2);
        String tag = stored.tag().isEmpty() ? "" : stored.tag() + "0";
        return new Versioned(stored.record().stamped(other), tag);
    }

    static void assertApplied(WriteResult result) {
        assertThat(result).isInstanceOf(WriteResult.Applied.class);
    }

    /** Refused, and told what is there. */
    static void assertRefused(WriteResult result, Optional<LockRecord> current) {
        assertThat(result).isInstanceOf(WriteResult.Refused.class);
        Optional<Versioned> told = ((WriteResult.Refused) result).current();
        assertThat(told.map(Versioned::record)).isEqualTo(current);
    }

    void assertStored(LockRecord record) {
        assertThat(read(record.key()).map(Versioned::record)).contains(record);
    }

    /** The store's time, certainly not later than it is. */
    Instant earliest() {
        if (store().clock().now().isEmpty()) {
            Await.get(store().clock().measure());
        }
        return store().clock().now().orElseThrow().earliest();
    }
}
