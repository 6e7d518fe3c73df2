package dev.holdfast.dynamodb;

import dev.holdfast.aws.ServerTime;
import dev.holdfast.dynamodb.locks.DynamoHistoryStore;
import dev.holdfast.dynamodb.locks.DynamoRecordStore;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.dynamodb.requests.TableRequests;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Locks in a DynamoDB table: one item per lock.
 *
 * <pre>
 *   lockId    = default:nightly-report   owner, lockedBy = web-3-4711       leaseDuration = 30
 *   namespace = default                  leaseId         = 8f14e45f-…       lockedAt      = 1794783243
 *   lockName  = nightly-report           token           = 1794783243123456 lastHeartbeat = 1794783253
 *   stamp     = -41838…                  busy            = true             expiresAt     = 1794783284
 *   fence     = 1794783243123456         format          = 1                expiry        = 1794783303
 *   record    = {"format":1,"holds":[{"lease_id":"…","owner":"web-3-4711","mode":"exclusive",…}]}
 * </pre>
 *
 * <p>Taking a free lock, renewing and releasing are one conditional request each; taking over an expired one is two. Nothing is
 * read on the way: a refusal brings the item. DynamoDB's clock counts, as its {@code Date} headers tell it, and it removes the
 * item of a lock nobody uses by its time to live, {@code expiry}. Waiters in other processes look every half second: DynamoDB
 * tells nobody of changes.
 */
public final class DynamoStore {
    private DynamoStore() {}

    /**
     * Opens the table of this URL, {@code dynamodb://region/table?endpoint=http://localhost:8000}, with AWS's usual ways to find
     * credentials. The table must exist: {@link DynamoSchema#migrate()}. History is kept if {@code <table>-events} exists,
     * and listings of one namespace are read from the index {@value ListingIndex#DEFAULT_NAME} if the table has it.
     *
     * @throws IllegalArgumentException if the URL is malformed
     * @throws StoreException saying which table, what is wrong, and what to do
     */
    public static RecordStore open(String url) {
        DynamoUrl parsed = DynamoUrl.of(url);
        DynamoDbAsyncClient client = parsed.client();
        try {
            return open(client, parsed.place(), parsed.config(), ServerTime.DATE, client::close);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Opens this table through a client of the caller, who also closes it. Its own retries do no harm, but cost time; a limit
     * for the whole call, below a third of the shortest lease in use, is for the caller to set.
     *
     * @throws StoreException saying which table, what is wrong, and what to do
     */
    public static RecordStore open(DynamoDbAsyncClient client, String table, DynamoConfig config) {
        return open(client, new TableAddress("", table, Optional.empty()), config, ServerTime.DATE, () -> {});
    }

    static RecordStore open(
            DynamoDbAsyncClient client,
            TableAddress place,
            DynamoConfig config,
            ServerTime telling,
            Runnable afterClose) {
        TableRequests calls = new TableRequests(client, place, config.time(), config.skew(), telling);
        TableCheck.OptionalParts found = new TableCheck(calls).check(config.history(), config.index());
        return found.history()
                ? new DynamoHistoryStore(calls, config.use(found.index()), afterClose)
                : new DynamoRecordStore(calls, config.use(found.index()), afterClose);
    }
}
