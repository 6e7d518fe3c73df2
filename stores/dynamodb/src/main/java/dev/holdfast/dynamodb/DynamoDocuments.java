package dev.holdfast.dynamodb;

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
import dev.holdfast.dynamodb.documents.DocumentItems;
import dev.holdfast.dynamodb.documents.DocumentQuery;
import dev.holdfast.dynamodb.documents.DynamoDocumentWrite;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Documents in a DynamoDB table beside that of the locks, {@code <table>-documents}, which {@code holdfast schema migrate} makes too.
 *
 * <pre>
 *   part = heads            name = stacks/shop/prod/state.json   leaf = state.json   tag = 9f86d0…   size = 1234
 *                           content = 0a1b2c…                    attributes = {serial: 7, …}
 *   part = content#0a1b2c…  name = content                       bytes = the content of one write, never changed
 * </pre>
 *
 * <pre>
 *   look    GetItem                     get    the same, then a GetItem of the content
 *   write   PutItem for each content; TransactWriteItems over the heads, on condition; DeleteItem for each content replaced
 *   list    Query, in the order of names; by leaf with a filter
 * </pre>
 *
 * <p>An item of DynamoDB is small, and so are these documents. A writer that dies leaves at most the contents it had written, which
 * nobody needs.
 */
public final class DynamoDocuments implements DocumentStore {
    /** An item has 400 KB with its key and names. */
    private static final long MAX_SIZE = 380_000;
    /** For so many bytes. */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);

    private final DocumentItems items;
    private final DynamoDbAsyncClient client;

    private DynamoDocuments(DocumentItems items, DynamoDbAsyncClient client) {
        this.items = items;
        this.client = client;
    }

    /**
     * Opens the documents of {@code dynamodb://region/table}.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which table, what is wrong, and what to do
     */
    public static DocumentStore open(String url) {
        DynamoUrl named = DynamoUrl.of(url);
        DynamoConfig config = named.config().withCallTimeout(CALL_TIMEOUT);
        DynamoDbAsyncClient client = new DynamoUrl(named.place(), config, named.credentials()).client();
        try {
            TableRequests calls =
                    new TableRequests(client, named.place(), config.time(), config.skew(), ServerTime.DATE);
            new TableCheck(calls).checkDocuments();
            return new DynamoDocuments(new DocumentItems(calls), client);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public String kind() {
        return "dynamodb";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    public boolean isAtomic() {
        return true;
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        DocumentNames.checked(name);
        return items.find(name).map(StoredDocument::head);
    }

    @Override
    public Optional<Document> get(String name) {
        return items.get(name);
    }

    @Override
    public WriteOutcome write(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put && put.content().length > MAX_SIZE) {
                throw new IllegalArgumentException("document '" + put.name() + "' has " + put.content().length
                        + " bytes; DynamoDB keeps at most " + MAX_SIZE
                        + " in an item. Keep large documents in S3 (s3://bucket/prefix) or in files (file:directory)");
            }
        }
        Writes.check(this, changes);
        return new DynamoDocumentWrite(items, changes).run();
    }

    @Override
    public DocumentPage list(ListRequest request) {
        return new DocumentQuery(items, request).page();
    }

    @Override
    public void close() {
        items.calls().close();
        client.close();
    }
}
