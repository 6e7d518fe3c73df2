package dev.holdfast.s3;

import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.MeasuredClock;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/**
 * The requests to one bucket. Each ends within the timeout and tells what became of it by its value, or by a
 * {@link StoreException}; each answer, good or bad, is a sample of the server's clock.
 */
final class Objects implements AutoCloseable {
    /** One that is interrupted more often while it sends one request is not to be helped. */
    private static final int INTERRUPTS = 3;

    private final S3AsyncClient client;
    private final Place place;
    private final S3Config config;
    private final ServerTime serverTime;
    private final S3Failures failures;
    private final MeasuredClock clock;
    private final Set<Pending<?>> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Objects(S3AsyncClient client, Place place, S3Config config, ServerTime serverTime) {
        this.client = client;
        this.place = place;
        this.config = config;
        this.serverTime = serverTime;
        this.failures = new S3Failures(place);
        this.clock = new MeasuredClock(config.time(), serverTime.resolution(), config.clockSkew(), this::askTime);
    }

    private Objects(Objects same, Duration timeout) {
        this.client = same.client;
        this.place = same.place;
        this.config = same.config.withRequestTimeout(timeout);
        this.serverTime = same.serverTime;
        this.failures = same.failures;
        this.clock = same.clock;
    }

    /** The same objects, with the same clock and more patience for each request. */
    Objects patient(Duration timeout) {
        return new Objects(this, timeout);
    }

    MeasuredClock clock() {
        return clock;
    }

    Place place() {
        return place;
    }

    Duration pollInterval() {
        return config.pollInterval();
    }

    /** An object as stored, or the beginning of one that is not whole; the tag is its ETag, without quotes. */
    record Found(String tag, String text, boolean whole) {}

    /** The object; empty if there is none. */
    CompletableFuture<Optional<Found>> get(String key) {
        return send(
                "reading " + key,
                false,
                () -> client.getObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit),
                        new SmallBody(RecordObject.MAX_BYTES)),
                body -> body.head().sdkHttpResponse(),
                body -> Optional.of(new Found(tag(body.head().eTag()), body.text(), body.whole())),
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    /** Writes the object if there is none. The tag of what was written; empty if there was one. */
    CompletableFuture<Optional<String>> create(String key, byte[] bytes) {
        return put(key, bytes, request -> request.ifNoneMatch("*"));
    }

    /** Writes the object if it still has this tag. The tag of what was written; empty if it has another, or is gone. */
    CompletableFuture<Optional<String>> replace(String key, String tag, byte[] bytes) {
        return put(key, bytes, request -> request.ifMatch(quoted(tag)));
    }

    /** The whole object, however large; empty if there is none. */
    CompletableFuture<Optional<byte[]>> getAll(String key) {
        return send(
                "reading " + key,
                false,
                () -> client.getObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit),
                        AsyncResponseTransformer.<GetObjectResponse>toBytes()),
                body -> body.response().sdkHttpResponse(),
                body -> Optional.of(body.asByteArrayUnsafe()),
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    /** What an object says of itself, without its bytes. */
    record Described(String tag, long size, Map<String, String> metadata) {}

    /** What an object says of itself; empty if there is none. */
    CompletableFuture<Optional<Described>> describe(String key) {
        return send(
                "looking at " + key,
                false,
                () -> client.headObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> Optional.of(new Described(
                        tag(answer.eTag()),
                        Optional.ofNullable(answer.contentLength()).orElse(0L),
                        answer.metadata())),
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    /**
     * Writes an object that nobody else writes, and that is nothing until another names it: so no failure leaves anything open. The
     * bytes are not copied.
     */
    CompletableFuture<Boolean> store(String key, byte[] bytes) {
        return send(
                "writing " + key,
                false,
                () -> client.putObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit),
                        AsyncRequestBody.fromBytesUnsafe(bytes)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> Optional.empty());
    }

    /**
     * Copies an object over another, with this to say of itself; false if there is none to copy.
     *
     * @param label a tag of the copy, {@code name=value}, by which rules of the bucket know it
     */
    CompletableFuture<Boolean> copy(String from, String to, Map<String, String> metadata, Optional<String> label) {
        return send(
                "copying to " + to,
                true,
                () -> client.copyObject(request -> {
                    request.sourceBucket(place.bucket())
                            .sourceKey(from)
                            .destinationBucket(place.bucket())
                            .destinationKey(to)
                            .metadataDirective(MetadataDirective.REPLACE)
                            .metadata(metadata)
                            .contentType(to.endsWith(".json") ? "application/json" : "application/octet-stream")
                            .overrideConfiguration(this::limit);
                    label.ifPresent(tag ->
                            request.taggingDirective(TaggingDirective.REPLACE).tagging(tag));
                }),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(false) : Optional.empty());
    }

    /** Copies an object that still has this tag to a key that nobody else writes; false if it has another by now, or is gone. */
    CompletableFuture<Boolean> copyIf(String from, String tag, String to) {
        return send(
                "copying to " + to,
                false,
                () -> client.copyObject(request -> request.sourceBucket(place.bucket())
                        .sourceKey(from)
                        .copySourceIfMatch(quoted(tag))
                        .destinationBucket(place.bucket())
                        .destinationKey(to)
                        .overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> isRefused(failure) ? Optional.of(false) : Optional.empty());
    }

    /** Deletes an object, if there is one, whatever it is. */
    CompletableFuture<Boolean> remove(String key) {
        return send(
                "deleting " + key,
                true,
                () -> client.deleteObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(true) : Optional.empty());
    }

    private CompletableFuture<Optional<String>> put(
            String key, byte[] bytes, Consumer<PutObjectRequest.Builder> condition) {
        return send(
                "writing " + key,
                true,
                () -> client.putObject(
                        request -> request.bucket(place.bucket())
                                .key(key)
                                .contentType("application/json")
                                .applyMutation(condition)
                                .overrideConfiguration(this::limit),
                        AsyncRequestBody.fromBytes(bytes)),
                SdkResponse::sdkHttpResponse,
                answer -> Optional.of(tag(answer.eTag())),
                failure -> isRefused(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    /** Deletes the object if it still has this tag; false if it has another, or is gone where the server tells. */
    CompletableFuture<Boolean> delete(String key, String tag) {
        return send(
                "deleting " + key,
                true,
                () -> client.deleteObject(request -> request.bucket(place.bucket())
                        .key(key)
                        .ifMatch(quoted(tag))
                        .overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> isRefused(failure) ? Optional.of(false) : Optional.empty());
    }

    /** Some keys in order, and whether there are more. */
    record Keys(List<String> keys, boolean more) {}

    /** The first keys that begin so and come after that one. */
    CompletableFuture<Keys> list(String start, Optional<String> after, int limit) {
        return send(
                "listing " + start,
                false,
                () -> client.listObjectsV2(request -> request.bucket(place.bucket())
                        .prefix(start)
                        .startAfter(after.orElse(null))
                        .maxKeys(limit)
                        .overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> new Keys(
                        answer.contents().stream().map(S3Object::key).toList(),
                        Boolean.TRUE.equals(answer.isTruncated())),
                failure -> Optional.empty());
    }

    /** Any answer tells the time. */
    private CompletableFuture<Void> askTime() {
        return send(
                        "reading its clock",
                        false,
                        () -> client.headBucket(
                                request -> request.bucket(place.bucket()).overrideConfiguration(this::limit)),
                        SdkResponse::sdkHttpResponse,
                        answer -> true,
                        failure -> Optional.empty())
                .thenAccept(answered -> {
                    if (clock.now().isEmpty()) {
                        throw new StoreUnavailableException(
                                "The answers of " + place.shown()
                                        + " tell no time, or this machine's clock was just set;"
                                        + " nothing is granted before the time is known",
                                null);
                    }
                });
    }

    private static boolean isRefused(Throwable failure) {
        return S3Failures.status(failure) == S3Failures.PRECONDITION_FAILED || S3Failures.isNoSuchObject(failure);
    }

    private void limit(AwsRequestOverrideConfiguration.Builder request) {
        request.apiCallTimeout(config.requestTimeout()).apiCallAttemptTimeout(config.requestTimeout());
    }

    private static String quoted(String tag) {
        return '"' + tag + '"';
    }

    private static String tag(String header) {
        return header.replace("\"", "");
    }

    // ---- sending

    /** A request under way, so that it can be ended with the store. */
    private record Pending<T>(CompletableFuture<T> told, boolean changes) {}

    private <A, T> CompletableFuture<T> send(
            String doing,
            boolean changes,
            Supplier<CompletableFuture<A>> call,
            Function<A, SdkHttpResponse> http,
            Function<A, T> good,
            Function<Throwable, Optional<T>> expected) {
        Pending<T> mine = new Pending<>(new CompletableFuture<>(), changes);
        pending.add(mine);
        CompletionStage<T> told = mine.told();
        told.whenComplete((value, failure) -> pending.remove(mine));
        if (closed) {
            mine.told().completeExceptionally(new StoreUnavailableException(place.shown() + " was closed", null));
            return mine.told();
        }
        Anchor sent = Anchor.of(config.time());
        BiFunction<A, Throwable, Boolean> end = (answer, failure) -> {
            if (failure == null) {
                sample(sent, http.apply(answer));
                return mine.told().complete(good.apply(answer));
            }
            S3Failures.answer(failure).ifPresent(bad -> sample(sent, bad));
            return expected.apply(failure)
                    .map(mine.told()::complete)
                    .orElseGet(() -> mine.told().completeExceptionally(failed(doing, changes, failure)));
        };
        CompletionStage<A> sending = called(call);
        sending.handle(end).whenComplete((done, bug) -> {
            if (bug != null) { // an answer we cannot make sense of
                mine.told().completeExceptionally(failed(doing, changes, bug));
            }
        });
        return mine.told();
    }

    /**
     * The client gives a request up, and forgets the interrupt, if the thread that sends it is interrupted. Whoever waits for a lock
     * on that thread has to hear of the interrupt, and the request has to go out.
     */
    private static <A> CompletableFuture<A> called(Supplier<CompletableFuture<A>> call) {
        boolean interrupted = Thread.interrupted();
        try {
            CompletableFuture<A> sent = calledOnce(call);
            for (int i = 0; i < INTERRUPTS && isAborted(sent); i++) {
                interrupted = true;
                sent = calledOnce(call);
            }
            return sent;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The client throws what it notices before it sends. */
    private static <A> CompletableFuture<A> calledOnce(Supplier<CompletableFuture<A>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static boolean isAborted(CompletableFuture<?> sent) {
        return sent.isCompletedExceptionally()
                && sent.handle((answer, failure) -> S3Failures.cause(failure)).join() instanceof AbortedException;
    }

    private StoreException failed(String doing, boolean changes, Throwable failure) {
        return changes ? failures.of(doing, failure) : failures.ofRead(doing, failure);
    }

    private void sample(Anchor sent, SdkHttpResponse answer) {
        serverTime.of(answer).ifPresent(time -> clock.sample(sent, time));
    }

    /** Ends what is under way; the client is closed by whoever made it. */
    @Override
    public void close() {
        closed = true;
        for (Pending<?> one : pending) {
            String message = place.shown() + " was closed during a request";
            one.told()
                    .completeExceptionally(
                            one.changes()
                                    ? new OutcomeUnknownException(message, null)
                                    : new StoreUnavailableException(message, null));
        }
    }
}
