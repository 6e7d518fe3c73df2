package dev.holdfast.wire.backup;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import java.util.List;
import java.util.Optional;
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
}
