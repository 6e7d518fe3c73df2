package dev.holdfast.dynamodb.documents;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.documents.Tags;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads heads, and keeps contents: each under an id of its own, nothing until a head names it. */
public final class DocumentItems {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentItems.class);

    private final TableRequests calls;
    private final String table;

    public DocumentItems(TableRequests calls) {
        this.calls = calls;
        this.table = calls.place().documentTable();
    }

    public TableRequests calls() {
        return calls;
    }

    public String table() {
        return table;
    }

    /** The head of a document; empty if there is none. */
    public CompletableFuture<Optional<DocumentItem>> look(String name) {
        return item("looking at document '" + name + "'", DocumentItem.key(name))
                .thenApply(item -> item.map(DocumentItem::of));
    }

    /** The bytes with this id; empty if they are gone. */
    public CompletableFuture<Optional<byte[]>> content(String id) {
        if (id.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(new byte[0]));
        }
        return item("reading a document", DocumentItem.contentKey(id))
                .thenApply(item -> item.map(found -> found.get(DocumentItem.BYTES))
                        .map(bytes -> bytes.b().asByteArrayUnsafe()));
    }

    private CompletableFuture<Optional<Map<String, AttributeValue>>> item(
            String doing, Map<String, AttributeValue> key) {
        return calls.read(
                        doing,
                        () -> calls.client()
                                .getItem(get -> get.tableName(table).key(key).consistentRead(true)))
                .thenApply(answer -> answer.hasItem() ? Optional.of(answer.item()) : Optional.empty());
    }

    /** Stores bytes under a new id, which is told. As nothing names it yet, a failure leaves nothing open. */
    CompletableFuture<String> upload(byte[] content) {
        if (content.length == 0) {
            return CompletableFuture.completedFuture("");
        }
        String id = Tags.fresh();
        Map<String, AttributeValue> item = new java.util.HashMap<>(DocumentItem.contentKey(id));
        item.put(DocumentItem.BYTES, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(content)));
        return calls.write(
                        "writing a document",
                        () -> calls.client().putItem(put -> put.tableName(table).item(item)))
                .thenApply(done -> id)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        AwsFailures.cause(failure) instanceof OutcomeUnknownException unclear
                                ? new StoreUnavailableException(String.valueOf(unclear.getMessage()), unclear)
                                : AwsFailures.cause(failure)));
    }

    /** Deletes contents that no head names any more; what cannot be deleted stays, and costs its space. */
    void discard(Collection<String> ids) {
        List<? extends CompletableFuture<?>> removals = ids.stream()
                .filter(id -> !id.isEmpty())
                .map(id -> calls.write(
                        "deleting a document's old content",
                        () -> calls.client()
                                .deleteItem(delete -> delete.tableName(table).key(DocumentItem.contentKey(id)))))
                .toList();
        for (CompletableFuture<?> removal : removals) {
            try {
                TableRequests.get(removal);
            } catch (StoreException e) {
                LOG.info("An unused content stays in {}: {}", calls.place(), e.getMessage());
            }
        }
    }
}
