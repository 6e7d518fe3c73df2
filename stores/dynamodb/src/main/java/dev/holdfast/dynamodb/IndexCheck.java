package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.ListingIndex.Use;
import dev.holdfast.dynamodb.locks.LockItem;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.spi.StoreUnusableException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Whether the table has an index to list from. One that nobody asked for by name and that is not as it has to be is left alone: a
 * listing without it costs more, a listing from it would leave locks out.
 */
record IndexCheck(TableAddress place) {
    private static final Logger LOG = LoggerFactory.getLogger(IndexCheck.class);

    static final List<String> KEYS = List.of(LockItem.NAMESPACE + " (S)", LockItem.NAME + " (S)");

    /**
     * The index that listings can use now.
     *
     * @throws StoreUnusableException if it is required, and is missing or not as it has to be
     */
    Optional<String> usable(TableDescription table, ListingIndex wanted) {
        if (wanted.use() == Use.NEVER) {
            return Optional.empty();
        }
        Optional<GlobalSecondaryIndexDescription> there = find(table, wanted.name());
        if (there.isEmpty()) {
            if (wanted.use() == Use.REQUIRED) {
                throw new StoreUnusableException(
                        "There is no index '" + wanted.name() + "' on " + place + "; make it with: "
                                + place.migrate(wanted.name()) + ", or leave ?index= out",
                        null);
            }
            return Optional.empty();
        }
        Optional<String> wrong = wrong(table, there.get());
        if (wrong.isPresent()) {
            if (wanted.use() == Use.REQUIRED) {
                throw new StoreUnusableException(wrong.get(), null);
            }
            LOG.warn("{}. Until then listings read the whole table; to keep it that way, use ?index=off", wrong.get());
            return Optional.empty();
        }
        if (!isReady(there.get())) {
            LOG.info(
                    "Index '{}' of {} is {}: until this process is started again, listings read the whole table",
                    wanted.name(),
                    place,
                    there.get().indexStatusAsString());
            return Optional.empty();
        }
        return Optional.of(wanted.name());
    }

    /** Nobody may use unseen what could leave locks out. */
    void cannotBeSeen(ListingIndex wanted, StoreUnusableException refused) {
        if (wanted.use() == Use.REQUIRED) {
            throw new StoreUnusableException(
                    "Whether " + place + " has an index '" + wanted.name()
                            + "' cannot be seen without the right to dynamodb:DescribeTable; grant it, or leave ?index= out",
                    refused);
        }
    }

    static Optional<GlobalSecondaryIndexDescription> find(TableDescription table, String name) {
        return table.globalSecondaryIndexes().stream()
                .filter(index -> index.indexName().equals(name))
                .findFirst();
    }

    /** What is wrong with the index, and what to do; empty if nothing is. */
    Optional<String> wrong(TableDescription table, GlobalSecondaryIndexDescription index) {
        List<String> keys = TableCheck.keys(table, index.keySchema());
        ProjectionType projection = index.projection().projectionType();
        if (keys.equals(KEYS) && projection == ProjectionType.ALL) {
            return Optional.empty();
        }
        return Optional.of("Index '" + index.indexName() + "' of " + place + " has the key " + String.join(", ", keys)
                + " and the projection " + projection + ", not " + String.join(", ", KEYS) + " and "
                + ProjectionType.ALL
                + ", so locks would be missing from listings. Nothing was changed; delete that index"
                + " and make it with: " + place.migrate(index.indexName()) + ", or name another one with ?index=");
    }

    /** Whether it has all of the table's items; that is so while only its capacity changes. */
    static boolean isReady(GlobalSecondaryIndexDescription index) {
        return index.indexStatus() == IndexStatus.ACTIVE || index.indexStatus() == IndexStatus.UPDATING;
    }
}
