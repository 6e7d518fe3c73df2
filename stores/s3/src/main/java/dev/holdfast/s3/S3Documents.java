package dev.holdfast.s3;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.Writes;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/**
 * Documents in an S3 bucket.
 *
 * <pre>
 *   prefix/stacks/shop/prod/state.json                              a copy for people and other tools, attributes as x-amz-meta-…;
 *                                                                   in a folder history/ tagged holdfast=history
 *   prefix/.documents/heads/stacks/shop/prod/state.json             the head: tag, size, attributes, and which content. What counts
 *   prefix/.documents/contents/9f86d081884c7d659a2feaa0c55ad015     the bytes of one write, never changed
 * </pre>
 *
 * <p>A write uploads the content under a new key, then replaces the head if that is still the one it saw (If-Match, If-None-Match),
 * which is the moment it has happened, then copies the content to where people look. Why not simply the object itself, with If-Match on
 * its ETag? Two writes of the same bytes have the same ETag, whatever they say in metadata: a holder who lost the lock long ago would
 * still match after the state went from A to B to A, or after a claim, which changes no byte. A head has a tag that never comes
 * twice within it, so its ETag never does.
 *
 * <p>Who reads the plain layout, without this class, sees complete documents only, byte for byte. When a write returns, the copy is of
 * that write or a later one. In between it is older by the time of two requests; if the writer dies between head and copy, or S3
 * fails just there (which is logged), until the next write of that document. Who reads through this class always sees the last
 * write.
 *
 * <p>What others had put at a document's key before is a document too, without attributes, whose tag is made of its ETag. Who has seen it
 * and names that tag can mark or replace it; from then on it has a head like all others. Nothing else touches it.
 *
 * <p>Several changes in one write are made one after the other. A writer that dies leaves at most the contents it had uploaded, which
 * nobody needs: objects below {@code contents} that are older than a day and named by no head can be deleted.
 */
public final class S3Documents implements DocumentStore {
    /** What one PUT takes within the time for a request on an ordinary line. */
    private static final long MAX_SIZE = 256L << 20;
    /** The longest a request may take: a large content takes its time. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

    private final BucketRequests objects;
    private final DocumentObjects documents;
    private final DocumentListing listing;
    private final Runnable afterClose;

    private S3Documents(BucketRequests objects, boolean deletes, Runnable afterClose) {
        this.objects = objects;
        this.documents = new DocumentObjects(objects, deletes);
        this.listing = new DocumentListing(objects, documents);
        this.afterClose = afterClose;
    }

    /**
     * Opens the documents of {@code s3://bucket/prefix?endpoint=…&region=…}, as {@link S3Store#open(String, S3Config)} opens the locks:
     * before it returns, the server has proved that it keeps the conditions of writes.
     *
     * @throws IllegalArgumentException if the URL is malformed, naming the part
     * @throws StoreException saying which bucket, what is wrong, and what to do
     */
    public static DocumentStore open(String url) {
        BucketAddress place = BucketAddress.of(url);
        S3Config config = S3Config.DEFAULT.withRequestTimeout(REQUEST_TIMEOUT);
        S3AsyncClient client = S3Clients.of(place, config);
        try {
            BucketRequests objects = new BucketRequests(client, place, config, ServerTime.DATE);
            boolean deletes = new SelfTest(objects, place.prefix() + DocumentObjects.PROBES).run();
            return new S3Documents(objects, deletes, client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public String kind() {
        return "s3";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    public boolean isAtomic() {
        return false;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        DocumentNames.checked(name);
        return documents.find(name).map(StoredDocument::head);
    }

    @Override
    public Optional<Document> get(String name) {
        return documents.get(name);
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        Writes.check(this, changes);
        return new S3DocumentWrite(documents, changes).run();
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return listing.page(request);
    }

    /** What others have put there is listed where it is said what it is called, and has to be looked at. */
    @Override
    public NamePage names(ListRequest request) {
        return request.leaf().isPresent() ? DocumentStore.super.names(request) : listing.names(request);
    }

    @Override
    public void close() {
        objects.close();
        afterClose.run();
    }
}
