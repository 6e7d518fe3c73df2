package dev.holdfast.s3;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.DateHeaderClock;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
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
final class BucketRequests implements AutoCloseable {
    private final S3AsyncClient client;
    private final BucketAddress place;
    private final S3Config config;
    private final DateHeaderClock clock;
    private final AwsRequests requests;

    BucketRequests(S3AsyncClient client, BucketAddress place, S3Config config, ServerTime told) {
        this.client = client;
        this.place = place;
        this.config = config;
        DateHeaderClock.Skew skew =
                new DateHeaderClock.Skew(config.clockSkew(), "open the store with a larger S3Config.clockSkew");
        this.clock = new DateHeaderClock(place.shown(), config.time(), told, skew, this::askTime);
        this.requests = new AwsRequests(place.shown(), config.time(), clock, new S3Failures(place)::of);
    }

    private BucketRequests(BucketRequests same, Duration timeout) {
        this.client = same.client;
        this.place = same.place;
        this.config = same.config.withRequestTimeout(timeout);
        this.clock = same.clock;
        this.requests = same.requests;
    }

    /** The same objects, with the same clock and more patience for each request. */
    BucketRequests patient(Duration timeout) {
        return new BucketRequests(this, timeout);
    }

    DateHeaderClock clock() {
        return clock;
    }

    BucketAddress place() {
        return place;
    }

    Duration pollInterval() {
        return config.pollInterval();
    }

    /** An object as stored, or the beginning of one that is not whole; the tag is its ETag, without quotes. */
    record StoredObject(String tag, String text, boolean whole) {}

    /** The object; empty if there is none. */
    CompletableFuture<Optional<StoredObject>> get(String key) {
        return requests.read(
                "reading " + key,
                () -> client.getObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit),
                        new SmallBody(RecordObject.MAX_BYTES)),
                body -> body.head().sdkHttpResponse(),
                body -> Optional.of(new StoredObject(tag(body.head().eTag()), body.text(), body.whole())),
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
        return requests.read(
                "reading " + key,
                () -> client.getObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit),
                        AsyncResponseTransformer.<GetObjectResponse>toBytes()),
                body -> body.response().sdkHttpResponse(),
                body -> Optional.of(body.asByteArrayUnsafe()),
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(Optional.empty()) : Optional.empty());
    }

    /** What an object says of itself, without its bytes. */
    record ObjectHead(String tag, long size, Map<String, String> metadata) {}

    /** What an object says of itself; empty if there is none. */
    CompletableFuture<Optional<ObjectHead>> describe(String key) {
        return requests.read(
                "looking at " + key,
                () -> client.headObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> Optional.of(new ObjectHead(
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
        return requests.read(
                "writing " + key,
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
        return requests.change(
                "copying to " + to,
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
        return requests.read(
                "copying to " + to,
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
        return requests.change(
                "deleting " + key,
                () -> client.deleteObject(
                        request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> S3Failures.isNoSuchObject(failure) ? Optional.of(true) : Optional.empty());
    }

    private CompletableFuture<Optional<String>> put(
            String key, byte[] bytes, Consumer<PutObjectRequest.Builder> condition) {
        return requests.change(
                "writing " + key,
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
        return requests.change(
                "deleting " + key,
                () -> client.deleteObject(request -> request.bucket(place.bucket())
                        .key(key)
                        .ifMatch(quoted(tag))
                        .overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> true,
                failure -> isRefused(failure) ? Optional.of(false) : Optional.empty());
    }

    /** Some keys in order, the sizes of their objects, and whether there are more. */
    record Keys(List<String> keys, Map<String, Long> sizes, boolean more) {
        Optional<String> last() {
            return keys.isEmpty() ? Optional.empty() : Optional.of(keys.get(keys.size() - 1));
        }
    }

    /** The first keys that begin so and come after that one. */
    CompletableFuture<Keys> list(String start, Optional<String> after, int limit) {
        return requests.read(
                "listing " + start,
                () -> client.listObjectsV2(request -> request.bucket(place.bucket())
                        .prefix(start)
                        .startAfter(after.orElse(null))
                        .maxKeys(limit)
                        .overrideConfiguration(this::limit)),
                SdkResponse::sdkHttpResponse,
                answer -> new Keys(
                        answer.contents().stream().map(S3Object::key).toList(),
                        answer.contents().stream().collect(Collectors.toMap(S3Object::key, S3Object::size)),
                        Boolean.TRUE.equals(answer.isTruncated())),
                failure -> Optional.empty());
    }

    /** Any answer tells the time. */
    private CompletableFuture<Void> askTime() {
        return requests.read(
                        "reading its clock",
                        () -> client.headBucket(
                                request -> request.bucket(place.bucket()).overrideConfiguration(this::limit)),
                        SdkResponse::sdkHttpResponse,
                        answer -> true,
                        failure -> Optional.empty())
                .thenAccept(answered -> {
                    if (clock.clock().now().isEmpty()) {
                        throw new StoreUnavailableException(
                                "The answers of " + place.shown()
                                        + " have no usable time, or this machine's clock was just set;"
                                        + " nothing is granted before the time is known",
                                null);
                    }
                });
    }

    private static boolean isRefused(Throwable failure) {
        return AwsFailures.status(failure) == S3Failures.PRECONDITION_FAILED || S3Failures.isNoSuchObject(failure);
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

    /** Ends what is under way; the client is closed by whoever made it. */
    @Override
    public void close() {
        requests.close();
    }
}
