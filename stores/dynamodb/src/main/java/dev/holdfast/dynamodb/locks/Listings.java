package dev.holdfast.dynamodb.locks;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a listing is read from: that of one namespace from the index, if there is one; all others, those by which expired and
 * unused locks are found among them, from the table itself. Both give the same records in the same order, and a listing begun on one
 * goes on on the other.
 */
final class Listings {
    private static final Logger LOG = LoggerFactory.getLogger(Listings.class);

    private final TableRequests calls;
    private final LockItem items;
    private volatile Optional<String> index;

    Listings(TableRequests calls, LockItem items, Optional<String> index) {
        this.calls = calls;
        this.items = items;
        this.index = index;
    }

    /** @throws IllegalArgumentException if the cursor is somebody else's */
    CompletableFuture<Page> page(ScanRequest request) {
        Optional<String> from = index;
        if (from.isEmpty() || request.namespace().isEmpty()) {
            return scan(request);
        }
        return new ListingPage(calls, items, from, request)
                .read()
                .exceptionallyCompose(failure -> AwsFailures.cause(failure) instanceof StoreUnusableException refused
                        ? without(from.get(), request, refused)
                        : CompletableFuture.failedFuture(AwsFailures.cause(failure)));
    }

    private CompletableFuture<Page> scan(ScanRequest request) {
        return new ListingPage(calls, items, Optional.empty(), request).read();
    }

    /** An index that was deleted, or that the process may not read, is no reason to list nothing. */
    private CompletableFuture<Page> without(String name, ScanRequest request, StoreUnusableException refused) {
        return scan(request).thenApply(page -> {
            if (index.isPresent()) {
                index = Optional.empty();
                LOG.warn(
                        "Index '{}' of {} cannot be read. Until this process is started again, listings read the whole table: {}",
                        name,
                        calls.place(),
                        refused.getMessage());
            }
            return page;
        });
    }
}
