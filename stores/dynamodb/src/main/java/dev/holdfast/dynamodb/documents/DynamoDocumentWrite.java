package dev.holdfast.dynamodb.documents;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.documents.ContentUploads;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Some changes as a whole: the contents first, then one transaction over the heads, each on the condition that it is as it was when it
 * was judged. If one is not, all are read and judged again.
 */
public final class DynamoDocumentWrite {
    /** Each round that loses a race is one that somebody else won, so this many are lost only by a crowd. */
    private static final int MAX_RACES = 50;

    private static final long MAX_PAUSE_NANOS = 30_000_000;
    private static final Set<String> RACES = Set.of("None", "ConditionalCheckFailed", "TransactionConflict");
    private static final Map<String, String> NAMES = Map.of("#name", DocumentItem.NAME);
    private static final Map<String, String> TAGS = Map.of("#tag", DocumentItem.TAG);

    private final DocumentItems items;
    private final List<Change> changes;
    private final ContentUploads contents;

    public DynamoDocumentWrite(DocumentItems items, List<Change> changes) {
        this.items = items;
        this.changes = changes;
        this.contents = new ContentUploads(items, changes);
    }

    public WriteOutcome run() {
        try {
            for (int round = 0; round < MAX_RACES; round++) {
                Optional<WriteOutcome> outcome = attempt();
                if (outcome.isPresent()) {
                    return outcome.get();
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
            }
            throw new StoreUnavailableException(
                    "Others changed the same documents in " + items.calls().place() + " at the same moment, "
                            + MAX_RACES + " times in a row; try again",
                    null);
        } catch (OutcomeUnknownException e) {
            throw e; // a head that comes late may name what was uploaded
        } catch (StoreException e) {
            contents.notMade(changes);
            throw e;
        } finally {
            contents.discard();
        }
    }

    /** Empty if somebody else was faster. */
    private Optional<WriteOutcome> attempt() {
        List<Optional<StoredDocument>> seen = AwsRequests.awaitAll(
                changes.stream().map(change -> items.look(change.name())).toList());
        for (int i = 0; i < changes.size(); i++) {
            Optional<DocumentHead> current = seen.get(i).map(StoredDocument::head);
            if (!changes.get(i).condition().holds(current)) {
                contents.notMade(changes);
                return Optional.of(new WriteOutcome.Refused(i, current));
            }
        }
        contents.upload();
        List<TransactWriteItem> parts = new ArrayList<>();
        List<StoredDocument> next = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Optional<StoredDocument> made = contents.next(changes.get(i), seen.get(i));
            made.ifPresent(next::add);
            part(changes.get(i), seen.get(i), made).ifPresent(parts::add);
        }
        if (!parts.isEmpty() && !commit(parts, next)) {
            return Optional.empty();
        }
        for (int i = 0; i < changes.size(); i++) {
            if (!(changes.get(i) instanceof Change.Mark)) {
                seen.get(i).map(StoredDocument::content).ifPresent(contents::unused);
            }
        }
        return Optional.of(
                new WriteOutcome.Written(next.stream().map(StoredDocument::head).toList()));
    }

    // ---- the transaction

    private Optional<TransactWriteItem> part(
            Change change, Optional<StoredDocument> seen, Optional<StoredDocument> next) {
        String condition = seen.isPresent() ? "#tag = :tag" : "attribute_not_exists(#name)";
        Map<String, String> names = seen.isPresent() ? TAGS : NAMES;
        Map<String, AttributeValue> values = seen.map(
                        old -> Map.of(":tag", AttributeValue.fromS(old.head().tag())))
                .orElse(Map.of());
        TransactWriteItem.Builder part = TransactWriteItem.builder();
        if (next.isPresent()) {
            Put.Builder put = Put.builder()
                    .tableName(items.table())
                    .item(DocumentItem.item(next.get()))
                    .conditionExpression(condition)
                    .expressionAttributeNames(names);
            return Optional.of(part.put((values.isEmpty() ? put : put.expressionAttributeValues(values)).build())
                    .build());
        }
        if (seen.isPresent()) {
            return Optional.of(part.delete(Delete.builder()
                            .tableName(items.table())
                            .key(DocumentItem.key(change.name()))
                            .conditionExpression(condition)
                            .expressionAttributeNames(names)
                            .expressionAttributeValues(values)
                            .build())
                    .build());
        }
        return change.condition() instanceof Condition.None
                ? Optional.empty() // there is nothing to delete
                : Optional.of(part.conditionCheck(ConditionCheck.builder()
                                .tableName(items.table())
                                .key(DocumentItem.key(change.name()))
                                .conditionExpression(condition)
                                .expressionAttributeNames(names)
                                .build())
                        .build());
    }

    /** Whether the heads were all as seen, and were changed. */
    private boolean commit(List<TransactWriteItem> parts, List<StoredDocument> next) {
        try {
            AwsRequests.await(items.calls()
                    .write(
                            "writing document '" + changes.get(0).name() + "'",
                            client -> client.transactWriteItems(write -> write.transactItems(parts))));
            return true;
        } catch (OutcomeUnknownException e) {
            if (items.isThere(next.stream().findFirst())) {
                return true;
            }
            throw e; // it may still be on its way
        } catch (StoreException e) {
            if (isRace(e)) {
                return false;
            }
            throw e;
        }
    }

    private static boolean isRace(StoreException e) {
        return e.getCause() instanceof TransactionCanceledException cancelled
                && cancelled.hasCancellationReasons()
                && cancelled.cancellationReasons().stream()
                        .map(CancellationReason::code)
                        .allMatch(RACES::contains);
    }
}
