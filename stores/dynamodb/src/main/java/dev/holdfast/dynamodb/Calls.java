package dev.holdfast.dynamodb;

import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.LocalTime;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * Requests to DynamoDB, each sent once. A failure says what became of the request; a refused condition stays the exception
 * it is. Every answer, good or bad, tells the clock the time.
 */
final class Calls {
    /** No lock has this name: a namespace has no {@code #}. */
    static final Map<String, AttributeValue> NO_LOCK = LockItem.key(AttributeValue.fromS("#clock"));

    /** One that is interrupted more often while it sends one request is not to be helped. */
    private static final int INTERRUPTS = 3;

    final DynamoDbAsyncClient client;
    final Place place;
    final DynamoFailures failures;
    final DateClock clock;
    private final LocalTime time;
    private volatile boolean closed;

    Calls(DynamoDbAsyncClient client, Place place, DynamoConfig config, DateClock.Telling telling) {
        this.client = client;
        this.place = place;
        this.failures = new DynamoFailures(place);
        this.time = config.time();
        this.clock = new DateClock(place, config, telling, this::measure);
    }

    /** A request that changes nothing. */
    <R extends SdkResponse> CompletableFuture<R> read(String doing, Supplier<CompletableFuture<R>> request) {
        return send(doing, request, false);
    }

    /** A request that may change something. */
    <R extends SdkResponse> CompletableFuture<R> write(String doing, Supplier<CompletableFuture<R>> request) {
        return send(doing, request, true);
    }

    private <R extends SdkResponse> CompletableFuture<R> send(
            String doing, Supplier<CompletableFuture<R>> request, boolean writes) {
        if (closed) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("The store on " + place + " was closed", null));
        }
        Anchor sent = Anchor.of(time);
        CompletionStage<R> answer;
        try {
            answer = called(request);
        } catch (RuntimeException e) { // nothing was sent
            return CompletableFuture.failedFuture(failures.of(doing, e, false));
        }
        CompletableFuture<R> named = new CompletableFuture<>();
        answer.whenComplete((response, failure) -> {
            if (response == null) {
                named.completeExceptionally(named(doing, sent, cause(failure), writes));
            } else {
                note(sent, response.sdkHttpResponse());
                named.complete(response);
            }
        });
        return named;
    }

    /**
     * The client gives a request up, and forgets the interrupt, if the thread that sends it is interrupted. Whoever waits for a
     * lock on that thread has to hear of the interrupt, and the request has to go out.
     */
    private static <R> CompletableFuture<R> called(Supplier<CompletableFuture<R>> request) {
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture<R> sent = request.get();
            for (int i = 0; i < INTERRUPTS && isAborted(sent); i++) {
                interrupted = true;
                sent = request.get();
            }
            return sent;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isAborted(CompletableFuture<?> sent) {
        return sent.isCompletedExceptionally()
                && sent.handle((answer, failure) -> cause(failure)).join() instanceof AbortedException;
    }

    private Throwable named(String doing, Anchor sent, Throwable failure, boolean writes) {
        if (failure instanceof AwsServiceException refused && refused.awsErrorDetails() != null) {
            note(sent, refused.awsErrorDetails().sdkHttpResponse());
        }
        if (failure instanceof ConditionalCheckFailedException) {
            return failure;
        }
        return closed && !writes
                ? new StoreUnavailableException("The store on " + place + " was closed", failure)
                : failures.of(doing, failure, writes);
    }

    private void note(Anchor sent, @Nullable SdkHttpResponse answer) {
        if (answer != null) {
            clock.answered(sent, answer);
        }
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

    static Throwable cause(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause == null ? new IllegalStateException("neither answer nor failure") : cause;
    }

    /** From now on every request fails. */
    void close() {
        closed = true;
    }
}
