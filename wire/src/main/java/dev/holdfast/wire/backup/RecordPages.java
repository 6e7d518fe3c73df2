package dev.holdfast.wire.backup;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Everything in a store, a page at a time. */
public final class RecordPages {
    /** Records may be large: this many of the largest still fit into memory. */
    private static final int RECORDS = 200;

    private RecordPages() {}

    /** Each record, in key order. */
    public static void each(RecordStore store, ScanRequest which, Consumer<Versioned> consumer) {
        eachPage(store, which, page -> page.forEach(consumer));
    }

    /** Each page of records, in key order; none is empty. */
    public static void eachPage(RecordStore store, ScanRequest which, Consumer<List<Versioned>> consumer) {
        Optional<String> next = Optional.empty();
        do {
            Page page = Uninterruptibly.answer(
                    store.scan(new ScanRequest(which.namespace(), which.prefix(), which.which(), next, RECORDS)));
            if (!page.records().isEmpty()) {
                consumer.accept(page.records());
            }
            next = page.next();
        } while (next.isPresent());
    }

    /** Makes these writes, as many at once as the store takes, and tells what became of each; one that failed ends it. */
    public static void write(RecordStore store, List<Write> writes, BiConsumer<Write, WriteResult> told) {
        int most = Math.max(1, store.traits().maxBatch());
        for (int start = 0; start < writes.size(); start += most) {
            List<Write> some = writes.subList(start, Math.min(writes.size(), start + most));
            List<WriteResult> results = Uninterruptibly.answer(store.write(some));
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof WriteResult.Failed failed) {
                    throw failed.why();
                }
                told.accept(some.get(i), results.get(i));
            }
        }
    }
}
