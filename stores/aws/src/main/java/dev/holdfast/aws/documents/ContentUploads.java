package dev.holdfast.aws.documents;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.Tags;
import dev.holdfast.spi.StoreException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The contents of one write. */
public final class ContentUploads {
    private static final Logger LOG = LoggerFactory.getLogger(ContentUploads.class);

    private final ContentStore contents;
    private final List<Change> changes;
    private final Map<String, String> uploaded = new HashMap<>();
    /** Contents that no head names. */
    private final Set<String> unused = new HashSet<>();

    /** Those of these changes; none is uploaded yet. */
    public ContentUploads(ContentStore contents, List<Change> changes) {
        this.contents = contents;
        this.changes = changes;
    }

    /** Uploads all of them at once, unless that was done before. */
    public void upload() {
        if (!uploaded.isEmpty()) {
            return;
        }
        List<Change.Put> puts = changes.stream()
                .filter(Change.Put.class::isInstance)
                .map(Change.Put.class::cast)
                .toList();
        List<String> ids = AwsRequests.awaitAll(
                puts.stream().map(put -> contents.upload(put.content())).toList());
        for (int i = 0; i < puts.size(); i++) {
            uploaded.put(puts.get(i).name(), ids.get(i));
        }
    }

    /** What a change makes of the document that was seen; empty if it deletes it. */
    public Optional<StoredDocument> next(Change change, Optional<StoredDocument> seen) {
        if (change instanceof Change.Put put) {
            return Optional.of(new StoredDocument(
                    new DocumentHead(put.name(), Tags.fresh(), put.content().length, put.attributes()),
                    uploaded.getOrDefault(put.name(), "")));
        }
        if (change instanceof Change.Mark mark) {
            StoredDocument old = seen.orElseThrow(); // its condition names a tag, and holds
            return Optional.of(marked(mark, old, old.content()));
        }
        return Optional.empty();
    }

    /** A document with other attributes, and maybe its content elsewhere. */
    public static StoredDocument marked(Change.Mark mark, StoredDocument old, String content) {
        return new StoredDocument(
                new DocumentHead(mark.name(), Tags.fresh(), old.head().size(), mark.attributes()), content);
    }

    /** No head names this content any more. */
    public void unused(String content) {
        unused.add(content);
    }

    /** What was uploaded for these changes is not named by a head. */
    public void notMade(List<Change> some) {
        some.forEach(change -> Optional.ofNullable(uploaded.get(change.name())).ifPresent(unused::add));
    }

    /** Deletes contents that no head names; what cannot be deleted stays, and costs its space. */
    public void discard() {
        List<? extends CompletableFuture<?>> removals = unused.stream()
                .filter(id -> !id.isEmpty())
                .map(contents::remove)
                .toList();
        for (CompletableFuture<?> removal : removals) {
            try {
                AwsRequests.await(removal);
            } catch (StoreException e) {
                LOG.info("Content that is no longer used could not be deleted: {}", e.getMessage());
            }
        }
    }
}
