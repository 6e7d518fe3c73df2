package dev.holdfast.dynamodb;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.aws.AwsRequests;
import dev.holdfast.dynamodb.documents.DocumentItems;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** Whether the tables are there and have the keys we need. Changes nothing. */
record TableCheck(TableRequests calls) {
    private static final Logger LOG = LoggerFactory.getLogger(TableCheck.class);

    /** For the first requests of a process, before which much is loaded: on a crowded machine that takes seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    static final List<String> LOCK_KEYS = List.of("lockId (S)");
    static final List<String> EVENT_KEYS = List.of("log (S)", "number (N)");
    static final List<String> DOCUMENT_KEYS = List.of("part (S)", "name (S)");

    private TableAddress place() {
        return calls.place();
    }

    /** Whether there is a table for events, and they are wanted; and the index to list from. */
    record OptionalParts(boolean history, Optional<String> index) {}

    /**
     * Checks the table of locks, and looks for that of events if it is wanted, and for the index.
     *
     * @throws StoreException if the locks cannot be kept here
     */
    OptionalParts check(boolean wantsHistory, ListingIndex wanted) {
        IndexCheck indexes = new IndexCheck(place());
        Optional<String> index;
        CompletableFuture<Optional<TableDescription>> locks = find(place().table());
        CompletableFuture<Optional<TableDescription>> events =
                wantsHistory ? find(place().eventTable()) : CompletableFuture.completedFuture(Optional.empty());
        try {
            TableDescription table =
                    AwsRequests.await(locks).orElseThrow(() -> calls.failures().noTable(null));
            require(place().table(), table, LOCK_KEYS);
            index = indexes.usable(table, wanted);
        } catch (StoreUnusableException e) {
            refuseUnlessUnseen(e);
            indexes.cannotBeSeen(wanted, e);
            AwsRequests.await(tryIt()); // who may not see the table's keys may still use its items
            index = Optional.empty();
        }
        boolean has = wantsHistory && hasEvents(events);
        if (wantsHistory && !has) {
            LOG.info(
                    "No history is kept: there is no table '{}' beside '{}'. Make it with: {}, or turn it off with ?history=off",
                    place().eventTable(),
                    place().table(),
                    place().migrate());
        }
        return new OptionalParts(has, index);
    }

    /**
     * Checks the table of documents.
     *
     * @throws StoreException if they cannot be kept here
     */
    void checkDocuments() {
        try {
            TableDescription table = AwsRequests.await(find(place().documentTable()))
                    .orElseThrow(() -> new StoreUnusableException(
                            "There is no table '" + place().documentTable() + "' for documents beside " + place()
                                    + "; make it with: " + place().migrate(),
                            null));
            require(place().documentTable(), table, DOCUMENT_KEYS);
        } catch (StoreUnusableException e) {
            refuseUnlessUnseen(e);
            AwsRequests.await(
                    new DocumentItems(calls).look("none")); // who may not see the table's keys may still use its items
        }
    }

    private boolean hasEvents(CompletableFuture<Optional<TableDescription>> events) {
        try {
            Optional<TableDescription> table = AwsRequests.await(events);
            table.ifPresent(there -> require(place().eventTable(), there, EVENT_KEYS));
            return table.isPresent();
        } catch (StoreUnusableException e) {
            if (e.getCause() instanceof AwsServiceException) {
                LOG.info("No history is kept, its table cannot be looked at: {}", e.getMessage());
                return false;
            }
            throw e;
        }
    }

    CompletableFuture<Optional<TableDescription>> find(String table) {
        return calls.read(
                        "looking at table '" + table + "'",
                        client -> client.describeTable(
                                describe -> describe.tableName(table).overrideConfiguration(TableCheck::patiently)))
                .thenApply(found -> Optional.of(found.table()))
                .exceptionallyCompose(
                        failure -> AwsFailures.cause(failure).getCause() instanceof ResourceNotFoundException
                                ? CompletableFuture.completedFuture(Optional.empty())
                                : CompletableFuture.failedFuture(AwsFailures.cause(failure)));
    }

    private CompletableFuture<GetItemResponse> tryIt() {
        return calls.read(
                "trying it",
                client -> client.getItem(get -> get.tableName(place().table())
                        .key(TableRequests.NO_LOCK)
                        .overrideConfiguration(TableCheck::patiently)));
    }

    private static void patiently(AwsRequestOverrideConfiguration.Builder request) {
        request.apiCallTimeout(PATIENCE).apiCallAttemptTimeout(PATIENCE);
    }

    /** Who may not describe a table may still use it. */
    private static void refuseUnlessUnseen(StoreUnusableException e) {
        if (e.getCause() == null || !AwsFailures.code(e.getCause()).startsWith("AccessDenied")) {
            throw e;
        }
    }

    void require(String name, TableDescription table, List<String> wanted) {
        List<String> keys = keys(table, table.keySchema());
        if (!keys.equals(wanted)) {
            throw new StoreUnusableException(
                    "The key of table '" + name + "' in " + place().where() + " is " + String.join(", ", keys)
                            + ", not "
                            + String.join(", ", wanted)
                            + ": it belongs to another tool. Nothing was changed; name another table in the store's URL",
                    null);
        }
    }

    /** The keys of the table, or of one of its indexes, with their types. */
    static List<String> keys(TableDescription table, List<KeySchemaElement> schema) {
        Map<String, ScalarAttributeType> types = table.attributeDefinitions().stream()
                .collect(Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeType));
        return schema.stream()
                .map(KeySchemaElement::attributeName)
                .map(key -> key + " (" + types.get(key) + ")")
                .toList();
    }
}
