package dev.holdfast.spi;

import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.time.StoreClock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A place for records that can compare and set. It knows no rules, waits for nothing, retries nothing: those exist once, in
 * the engine.
 *
 * <p>A stage that fails says what became of the request by the exception's type, and never guesses:
 * {@link StoreUnavailableException} nothing was changed, try again; {@link StoreUnusableException} nothing was changed and
 * trying again does not help; {@link OutcomeUnknownException}, or any other, it may have been applied.
 *
 * <p>All methods may be called from any thread, several at a time. {@link StoreTraits#blocking()} says whether they do
 * their work on the calling thread.
 */
public interface RecordStore extends AutoCloseable {
    /** The record as last committed; empty if there is none. Never from a replica or cache that could be behind. */
    CompletionStage<Optional<Versioned>> read(RecordKey key);

    /**
     * Writes each record whose precondition holds, durably, and reports for each what happened, in the order given. The
     * keys differ from one another, and there are at most {@link StoreTraits#maxBatch()}. One refused or failed write
     * does not hinder the others. The events of a write are stored with it or, on stores that cannot, as soon as
     * possible after.
     */
    CompletionStage<List<WriteResult>> write(List<Write> writes);

    /** A page of records in key order. */
    CompletionStage<Page> scan(ScanRequest request);

    /** The store's time. */
    StoreClock clock();

    /** What the engine needs to know to use it well. */
    StoreTraits traits();

    /** Gives back connections and files. Requests under way end in failure or success, none hangs. */
    @Override
    void close();
}
