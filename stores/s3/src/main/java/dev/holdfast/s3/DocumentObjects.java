package dev.holdfast.s3;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.documents.ContentStore;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.Tags;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The three objects of each document: its head, its content, and the copy for people. */
final class DocumentObjects implements ContentStore {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentObjects.class);

    /** Beside the locks and the documents, where no name of either begins. */
    static final String HEADS = ".documents/heads/";

    private static final String CONTENTS = ".documents/contents/";
    /** Below this the server is tried at the start. */
    static final String PROBES = ".documents/probe/";
    /** Says of a copy whose it is. */
    private static final String TAG = "holdfast-tag";
    /** Copies in such a folder carry the label: the prefix in a rule of the bucket cannot name a folder of every stack. */
    private static final String HISTORY = "/history/";

    private static final String HISTORY_LABEL = "holdfast=history";
    /** Each round more is somebody else's write; the last of a crowd settles it. */
    private static final int MAX_COPIES = 10;

    private final BucketRequests objects;
    private final boolean deletes;
    private final String prefix;
    /** Whether copies are labelled; not any more where the server or the rights do not allow it. */
    private volatile boolean labels = true;

    /** In the bucket of these objects; whether its server deletes on condition. */
    DocumentObjects(BucketRequests objects, boolean deletes) {
        this.objects = objects;
        this.deletes = deletes;
        this.prefix = objects.place().prefix();
    }

    /** What all keys of heads begin with. */
    String heads() {
        return prefix + HEADS;
    }

    /**
     * A head as it was read.
     *
     * @param etag of its object; empty if there is none
     * @param document what it says; empty if there is no document
     * @param found the ETag of what others have put at the document's key, where it has no head: it is the document then
     */
    record CurrentHead(Optional<String> etag, Optional<StoredDocument> document, Optional<String> found) {}

    CompletableFuture<CurrentHead> look(String name) {
        String key = heads() + name;
        return objects.get(key)
                .thenCompose(head -> head.isPresent()
                        ? CompletableFuture.completedFuture(new CurrentHead(
                                head.map(BucketRequests.StoredObject::tag),
                                head.flatMap(there -> DocumentObject.read(key, there)),
                                Optional.empty()))
                        : lookAtPlain(name));
    }

    /** A document that was in the bucket before us has no head, only bytes at its key. */
    private CompletableFuture<CurrentHead> lookAtPlain(String name) {
        return objects.describe(prefix + name).thenApply(there -> {
            Optional<BucketRequests.ObjectHead> found =
                    there.filter(it -> !it.metadata().containsKey(TAG)); // else a copy of what is deleted
            return new CurrentHead(
                    Optional.empty(),
                    found.map(it -> DocumentObject.found(name, it.tag(), it.size())),
                    found.map(BucketRequests.ObjectHead::tag));
        });
    }

    /** Makes what others have put at the document's key a content, under a key which is told; empty if it has changed. */
    CompletableFuture<Optional<String>> adopt(String name, String etag) {
        String id = Tags.fresh();
        return objects.copyIf(prefix + name, etag, prefix + CONTENTS + id)
                .thenApply(done -> done ? Optional.of(id) : Optional.empty());
    }

    /** What all keys of plain copies begin with. */
    String plain() {
        return prefix;
    }

    @Override
    public CompletableFuture<String> upload(byte[] content) {
        String id = Tags.fresh();
        return objects.store(prefix + CONTENTS + id, content).thenApply(done -> id);
    }

    @Override
    public CompletableFuture<Boolean> remove(String id) {
        return objects.remove(prefix + CONTENTS + id);
    }

    @Override
    public Optional<StoredDocument> find(String name) {
        return AwsRequests.await(look(name)).document();
    }

    @Override
    public Optional<byte[]> content(StoredDocument document) {
        return AwsRequests.await(objects.getAll(keyOfContent(document)));
    }

    @Override
    public String placeOf(StoredDocument document) {
        return "s3://" + objects.place().bucket() + "/" + keyOfContent(document);
    }

    private String keyOfContent(StoredDocument document) {
        return document.content().isEmpty() ? prefix + document.head().name() : prefix + CONTENTS + document.content();
    }

    /** Replaces the head if it is still as seen; whether it was. The moment a change has happened. */
    boolean commit(String name, CurrentHead seen, Optional<StoredDocument> next) {
        String key = heads() + name;
        try {
            if (seen.found().isPresent()
                    && !AwsRequests.await(lookAtPlain(name)).found().equals(seen.found())) {
                return false; // its writer does not know of us, and has changed it
            }
            if (next.isEmpty()) {
                return delete(key, seen.etag().orElseThrow());
            }
            byte[] bytes = DocumentObject.bytes(next.get());
            return (seen.etag().isPresent()
                            ? AwsRequests.await(objects.replace(key, seen.etag().get(), bytes))
                            : AwsRequests.await(objects.create(key, bytes)))
                    .isPresent();
        } catch (OutcomeUnknownException e) {
            if (isThere(next)) {
                return true;
            }
            throw e; // it may still be on its way
        } catch (StoreUnavailableException e) {
            if (e.getCause() != null && AwsFailures.status(e.getCause()) == S3Failures.CONFLICT) {
                return false; // somebody else's write was under way: as if that were there already
            }
            throw e;
        }
    }

    private boolean delete(String key, String etag) {
        return deletes
                ? AwsRequests.await(objects.delete(key, etag))
                : AwsRequests.await(objects.replace(key, etag, DocumentObject.tombstone()))
                        .isPresent();
    }

    /**
     * Brings the copies for people to what the heads say, and looks whether they still say so: of two who do this at once, the one that
     * comes last sees what the other missed. A failure only means an old copy, until the next write.
     */
    void settle(Map<String, Optional<StoredDocument>> made) {
        Map<String, CompletableFuture<CurrentHead>> settled = new TreeMap<>();
        made.forEach((name, document) -> settled.put(name, copy(name, document).thenCompose(done -> look(name))));
        settled.forEach((name, seen) -> {
            try {
                Optional<StoredDocument> now = AwsRequests.await(seen).document();
                if (!now.equals(made.get(name))) {
                    settleAnew(name, now);
                }
            } catch (StoreException e) {
                LOG.warn(
                        "Document '{}' was written, but its copy at that key in {} was not; the next write repairs"
                                + " that: {}",
                        name,
                        objects.place().shown(),
                        e.getMessage());
            }
        });
    }

    private void settleAnew(String name, Optional<StoredDocument> now) {
        Optional<StoredDocument> wanted = now;
        for (int i = 0; i < MAX_COPIES; i++) {
            boolean done = AwsRequests.await(copy(name, wanted));
            Optional<StoredDocument> next = find(name);
            if (done && next.equals(wanted)) {
                return;
            }
            wanted = next;
        }
        LOG.debug("others keep writing document '{}'; the last of them leaves its copy", name);
    }

    /** False if the content is gone: the document was replaced meanwhile. */
    private CompletableFuture<Boolean> copy(String name, Optional<StoredDocument> document) {
        if (document.isEmpty()) {
            return objects.remove(prefix + name);
        }
        Map<String, String> metadata = new TreeMap<>(document.get().head().attributes());
        metadata.put(TAG, document.get().head().tag());
        String from = prefix + CONTENTS + document.get().content();
        boolean labelled = labels && name.contains(HISTORY);
        CompletableFuture<Boolean> copied =
                objects.copy(from, prefix + name, metadata, labelled ? Optional.of(HISTORY_LABEL) : Optional.empty());
        return labelled
                ? copied.exceptionallyCompose(failure -> isForbidden(failure)
                        ? objects.copy(from, prefix + name, metadata, Optional.empty())
                                .thenApply(this::unlabelled)
                        : CompletableFuture.failedFuture(failure))
                : copied;
    }

    /** The server does not know tags, or the caller may not write them. */
    private static boolean isForbidden(Throwable failure) {
        Throwable cause = AwsFailures.cause(failure);
        int status = cause.getCause() == null ? 0 : AwsFailures.status(cause.getCause());
        return status == 400 || status == 403 || status == 501;
    }

    private boolean unlabelled(boolean copied) {
        if (labels) {
            labels = false;
            LOG.warn(
                    "History in {} is not tagged with {}: the server does not take tags, or s3:PutObjectTagging is"
                            + " missing. Nothing else is affected; rules of the bucket do not find it by that tag",
                    objects.place().shown(),
                    HISTORY_LABEL);
        }
        return copied;
    }
}
