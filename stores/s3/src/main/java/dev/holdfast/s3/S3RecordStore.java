package dev.holdfast.s3;

import dev.holdfast.aws.SingleWrites;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreTraits;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Records as objects of a bucket.
 *
 * <pre>
 *   read    GET
 *   write   PUT If-None-Match: *, PUT If-Match: etag, or DELETE If-Match: etag; refused (412), a GET tells what is there.
 *           Of a lock nobody here has seen: a GET, then one of them
 *   scan    LIST, then a GET for each
 *   clock   HEAD of the bucket; besides, the Date of every answer
 * </pre>
 */
final class S3RecordStore implements RecordStore {
    /** Requests are independent of one another, so each is a write of its own, and many go at once. */
    private static final int WRITERS = 32;
    /** Looks after a long wait are so many times as far apart. */
    private static final int RESTING = 4;

    private final BucketRequests objects;
    private final RecordReader records;
    private final LockListing listing;
    private final StoreTraits traits;
    private final boolean deletes;
    private final Runnable afterClose;

    /** A store on these objects; if the server does not delete on condition, records are kept. */
    S3RecordStore(BucketRequests objects, boolean deletes, Runnable afterClose) {
        this.objects = objects;
        this.deletes = deletes;
        this.afterClose = afterClose;
        Duration poll = objects.pollInterval();
        this.traits = StoreTraits.of("s3", poll).withWriters(WRITERS).withRestingPoll(poll.multipliedBy(RESTING));
        this.records = new RecordReader(objects);
        this.listing = new LockListing(objects, records);
    }

    @Override
    public CompletionStage<Optional<Versioned>> read(RecordKey key) {
        return records.read(key);
    }

    @Override
    public CompletionStage<List<WriteResult>> write(List<Write> writes) {
        return SingleWrites.of(writes, this::write);
    }

    private CompletableFuture<WriteResult> write(Write write) {
        try {
            return write.precondition()
                    .fold(
                            absent -> create(write),
                            stamped -> change(write, stamped),
                            idleBelow -> createOrReplace(write, idleBelow));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * S3 cannot judge whether a record is idle, so it is read first. Most locks were used before, and a GET costs a tenth of a PUT
     * that is refused.
     */
    private CompletableFuture<WriteResult> createOrReplace(Write write, Precondition.IdleBelow idleBelow) {
        return records.read(write.key()).thenCompose(found -> {
            if (found.isEmpty()) {
                return create(write);
            }
            LockRecord there = found.get().record();
            return idleBelow.isMetBy(there)
                    ? replace(write, found.get().tag(), Optional.of(there.past()))
                    : CompletableFuture.completedFuture(new WriteResult.Refused(found));
        });
    }

    private CompletableFuture<WriteResult> create(Write write) {
        return objects.create(records.keys().of(write.key()), RecordObject.of(write, Optional.empty()))
                .thenCompose(tag -> applied(write, tag, Optional.empty()));
    }

    private CompletableFuture<WriteResult> replace(Write write, String tag, Optional<Past> kept) {
        return objects.replace(records.keys().of(write.key()), tag, RecordObject.of(write, kept))
                .thenCompose(next -> applied(write, next, kept));
    }

    private CompletableFuture<WriteResult> change(Write write, Precondition.Stamped stamped) {
        boolean due = stamped.notBefore().map(objects.clock()::hasReached).orElse(true);
        if (due && !stamped.tag().isEmpty()) {
            return change(write, stamped.tag());
        }
        return records.read(write.key()).thenCompose(found -> {
            boolean same = found.map(there -> there.record().stamp())
                    .filter(stamped.stamp()::equals)
                    .isPresent();
            if (!same) {
                return CompletableFuture.completedFuture(new WriteResult.Refused(found));
            }
            // The answer told the time once more, so it is known as well as it can be.
            if (!stamped.notBefore().map(objects.clock()::hasReached).orElse(true)) {
                return CompletableFuture.completedFuture(new WriteResult.TooEarly());
            }
            return change(write, found.orElseThrow().tag());
        });
    }

    private CompletableFuture<WriteResult> change(Write write, String tag) {
        if (write.record().isPresent()) {
            return replace(write, tag, Optional.empty());
        }
        if (!deletes) {
            return CompletableFuture.failedFuture(new StoreUnusableException(
                    objects.place().shown() + " does not delete on condition, so idle locks are kept", null));
        }
        return objects.delete(records.keys().of(write.key()), tag)
                .thenCompose(gone -> applied(write, gone ? Optional.of("") : Optional.empty(), Optional.empty()));
    }

    private CompletableFuture<WriteResult> applied(Write write, Optional<String> tag, Optional<Past> kept) {
        return tag.isPresent()
                ? CompletableFuture.completedFuture(new WriteResult.Applied(tag.get(), kept))
                : records.read(write.key()).thenApply(WriteResult.Refused::new);
    }

    @Override
    public CompletionStage<Page> scan(ScanRequest request) {
        try {
            return listing.page(request);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public StoreClock clock() {
        return objects.clock().clock();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public void close() {
        objects.close();
        afterClose.run();
    }
}
