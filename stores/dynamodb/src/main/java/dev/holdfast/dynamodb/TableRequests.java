package dev.holdfast.dynamodb;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.DateHeaderClock;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Requests to DynamoDB, each sent once. A failure says what became of the request; a refused condition stays the exception
 * it is. Every answer, good or bad, tells the clock the time.
 */
final class TableRequests {
    /** No lock has this name: a namespace has no {@code #}. */
    static final Map<String, AttributeValue> NO_LOCK = LockItem.key(AttributeValue.fromS("#clock"));

    final DynamoDbAsyncClient client;
    final TableAddress place;
    final DynamoFailures failures;
    final DateHeaderClock clock;
    private final AwsRequests requests;

    TableRequests(DynamoDbAsyncClient client, TableAddress place, DynamoConfig config, ServerTime told) {
        this.client = client;
        this.place = place;
        this.failures = new DynamoFailures(place);
        DateHeaderClock.Skew skew =
                new DateHeaderClock.Skew(config.skew(), "open the store with a larger ?skew= in its URL");
        this.clock = new DateHeaderClock(place.toString(), config.time(), told, skew, this::measure);
        this.requests = new AwsRequests("The store on " + place, config.time(), clock, failures::of);
    }

    /** A request that changes nothing. */
    <R extends SdkResponse> CompletableFuture<R> read(String doing, Supplier<CompletableFuture<R>> request) {
        return requests.read(doing, request, SdkResponse::sdkHttpResponse, answer -> answer, bad -> Optional.empty());
    }

    /** A request that may change something. */
    <R extends SdkResponse> CompletableFuture<R> write(String doing, Supplier<CompletableFuture<R>> request) {
        return requests.change(doing, request, SdkResponse::sdkHttpResponse, answer -> answer, bad -> Optional.empty());
    }

    /** Asks for an item that is not there: the cheapest question there is. */
    private CompletableFuture<Void> measure() {
        CompletableFuture<GetItemResponse> asked = read(
                "reading its clock",
                () -> client.getItem(get -> get.tableName(place.table()).key(NO_LOCK)));
        return asked.thenAccept(answer -> {
            if (!clock.isToldBy(answer.sdkHttpResponse())) {
                throw new StoreUnusableException(
                        "The answers of " + place + " have no Date header, so its time is not known; if a proxy takes"
                                + " it away, let it pass",
                        null);
            }
        });
    }

    /** Ends what is under way; from now on every request fails. */
    void close() {
        requests.close();
    }
}
