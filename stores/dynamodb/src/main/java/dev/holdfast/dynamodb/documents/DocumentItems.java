package dev.holdfast.dynamodb.documents;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.documents.ContentStore;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.Tags;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads heads, and keeps contents: each under an id of its own, nothing until a head names it. */
public record DocumentItems(TableRequests calls) implements ContentStore {
    public String table() {
        return calls.place().documentTable();
    }

    /** The head of a document; empty if there is none. */
    public CompletableFuture<Optional<StoredDocument>> look(String name) {
        return item("looking at document '" + name + "'", DocumentItem.key(name))
                .thenApply(item -> item.map(DocumentItem::of));
    }

    @Override
    public Optional<StoredDocument> find(String name) {
        return AwsRequests.await(look(name));
    }

    @Override
    public Optional<byte[]> content(StoredDocument document) {
        if (document.content().isEmpty()) {
            return Optional.of(new byte[0]);
        }
        return AwsRequests.await(item("reading a document", DocumentItem.contentKey(document.content())))
                .map(found -> found.get(DocumentItem.BYTES))
                .map(bytes -> bytes.b().asByteArrayUnsafe());
    }

    @Override
    public String placeOf(StoredDocument document) {
        return "table '" + table() + "' (part '" + DocumentItem.contentPart(document.content()) + "')";
    }

    private CompletableFuture<Optional<Map<String, AttributeValue>>> item(
            String doing, Map<String, AttributeValue> key) {
        return calls.read(
                        doing,
                        client -> client.getItem(
                                get -> get.tableName(table()).key(key).consistentRead(true)))
                .thenApply(answer -> answer.hasItem() ? Optional.of(answer.item()) : Optional.empty());
    }

    @Override
    public CompletableFuture<String> upload(byte[] content) {
        if (content.length == 0) {
            return CompletableFuture.completedFuture("");
        }
        String id = Tags.fresh();
        Map<String, AttributeValue> item = new HashMap<>(DocumentItem.contentKey(id));
        item.put(DocumentItem.BYTES, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(content)));
        return calls.write(
                        "writing a document",
                        client -> client.putItem(put -> put.tableName(table()).item(item)))
                .thenApply(done -> id)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        AwsFailures.cause(failure) instanceof OutcomeUnknownException unclear
                                ? new StoreUnavailableException(String.valueOf(unclear.getMessage()), unclear)
                                : AwsFailures.cause(failure)));
    }

    @Override
    public CompletableFuture<?> remove(String id) {
        return calls.write(
                "deleting a document's old content",
                client -> client.deleteItem(delete -> delete.tableName(table()).key(DocumentItem.contentKey(id))));
    }
}
