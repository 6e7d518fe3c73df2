package dev.holdfast.dynamodb.requests;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.DateHeaderClock;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Requests to DynamoDB, each sent once. A failure says what became of the request; a refused condition stays the exception
 * it is. Every answer, good or bad, tells the clock the time.
 */
public final class TableRequests {
    /** No lock has this name: a namespace has no {@code #}. */
    public static final Map<String, AttributeValue> NO_LOCK = Map.of("lockId", AttributeValue.fromS("#clock"));

    private final DynamoDbAsyncClient client;
    private final TableAddress place;
    private final DynamoFailures failures;
    private final DateHeaderClock clock;
    private final AwsRequests requests;

    /**
     * Requests through this client.
     *
     * @param time the machine's clocks
     * @param skew by how much DynamoDB's clocks may differ
     * @param told where an answer tells the time
     */
    public TableRequests(
            DynamoDbAsyncClient client, TableAddress place, LocalTime time, Duration skew, ServerTime told) {
        this.client = client;
        this.place = place;
        this.failures = new DynamoFailures(place);
        DateHeaderClock.Skew allowed = new DateHeaderClock.Skew(skew, "open the store with a larger ?skew= in its URL");
        this.clock = new DateHeaderClock(place.toString(), time, told, allowed, this::measure);
        this.requests = new AwsRequests("The store on " + place, time, clock, failures::of);
    }

    public TableAddress place() {
        return place;
    }

    public DynamoFailures failures() {
        return failures;
    }

    public DateHeaderClock clock() {
        return clock;
    }

    public <R extends SdkResponse> CompletableFuture<R> read(
            String doing, Function<DynamoDbAsyncClient, CompletableFuture<R>> request) {
        return requests.read(
                doing,
                () -> request.apply(client),
                SdkResponse::sdkHttpResponse,
                answer -> answer,
                bad -> Optional.empty());
    }

    public <R extends SdkResponse> CompletableFuture<R> write(
            String doing, Function<DynamoDbAsyncClient, CompletableFuture<R>> request) {
        return requests.change(
                doing,
                () -> request.apply(client),
                SdkResponse::sdkHttpResponse,
                answer -> answer,
                bad -> Optional.empty());
    }

    /** Asks for an item that is not there: the cheapest question there is. */
    private CompletableFuture<Void> measure() {
        CompletableFuture<GetItemResponse> asked = read(
                "reading its clock",
                sender -> sender.getItem(get -> get.tableName(place.table()).key(NO_LOCK)));
        return asked.thenAccept(answer -> {
            if (!clock.isToldBy(answer.sdkHttpResponse())) {
                throw new StoreUnusableException(
                        "The answers of " + place + " have no Date header, so its time is not known; if a proxy removes"
                                + " it, let it pass",
                        null);
            }
        });
    }

    /** Ends what is under way; from now on every request fails. */
    public void close() {
        requests.close();
    }
}
