package dev.holdfast.s3;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of records: one LIST, then a GET for each key in it, a few at a time. Records are in order within a page; pages follow one
 * another in the order of keys, which differs from that of names where these have other characters than letters and digits.
 */
final class LockListing {
    private static final Logger LOG = LoggerFactory.getLogger(LockListing.class);

    /** Objects read for one page, so that it takes about a second at most; what is asked for may be more. */
    private static final int MAX_READ = 250;
    /** GETs at once: a listing must not take the connections that locks need. */
    private static final int AT_ONCE = 16;

    /** Of more foreign objects than this nobody wants to read. */
    private static final int MAX_TOLD = 100;

    private final BucketRequests objects;
    private final RecordReader records;
    /** The keys of foreign objects that were reported. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    LockListing(BucketRequests objects, RecordReader records) {
        this.objects = objects;
        this.records = records;
    }

    CompletionStage<Page> page(ScanRequest request) {
        ObjectKeys keys = records.keys();
        String start = request.namespace()
                .map(namespace -> keys.startingWith(namespace, request.prefix()))
                .orElse(keys.all());
        request.cursor().ifPresent(cursor -> {
            if (!cursor.startsWith(start)) {
                throw new IllegalArgumentException("the cursor is not from this listing; start again without it");
            }
        });
        int limit = Math.min(request.limit(), MAX_READ);
        return objects.list(start, request.cursor(), limit)
                .thenCompose(found -> read(found.keys())
                        .thenApply(read ->
                                new Page(matching(request, read), found.more() ? found.last() : Optional.empty())));
    }

    private static List<Versioned> matching(ScanRequest request, List<Versioned> read) {
        return read.stream()
                .filter(found -> request.matches(found.record()))
                .sorted(Comparator.comparing(found -> found.record().key()))
                .toList();
    }

    /** Several chains, each reading one after the other. */
    private CompletableFuture<List<Versioned>> read(List<String> keys) {
        Iterator<String> rest =
                keys.stream().filter(key -> records.keys().isLock(key)).iterator();
        List<Versioned> all = new ArrayList<>(keys.size());
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < Math.min(AT_ONCE, keys.size()); i++) {
            chains.add(readOn(rest, all));
        }
        return CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)).thenApply(done -> all);
    }

    private CompletableFuture<Void> readOn(Iterator<String> rest, List<Versioned> all) {
        String key;
        synchronized (all) {
            if (!rest.hasNext()) {
                return CompletableFuture.completedFuture(null);
            }
            key = rest.next();
        }
        return records.read(key).exceptionally(failure -> leftOut(key, failure)).thenCompose(found -> {
            synchronized (all) {
                found.ifPresent(all::add); // or it was deleted meanwhile
            }
            return readOn(rest, all);
        });
    }

    /** One foreign object must not hide all locks from those who list or clean up; who asks for it by name is told. */
    private Optional<Versioned> leftOut(String key, Throwable failure) {
        Throwable cause = AwsFailures.cause(failure);
        if (cause instanceof StoreUnusableException) {
            if (told.size() < MAX_TOLD && told.add(key)) { // once: a server lists often
                LOG.warn("Left out of listings: {}", cause.getMessage());
            }
            return Optional.empty();
        }
        throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}
