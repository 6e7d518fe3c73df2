package dev.holdfast.s3;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The body of an answer, up to one byte more than a bound: what somebody else has put there may be of any size. */
final class SmallBody implements AsyncResponseTransformer<GetObjectResponse, SmallBody.Body> {
    private final int bound;
    private final CompletableFuture<ByteArrayOutputStream> bytes = new CompletableFuture<>();
    private volatile @Nullable GetObjectResponse head;

    SmallBody(int bound) {
        this.bound = bound;
    }

    /** An answer with its body; only the beginning of it if {@code whole} is false. */
    record Body(GetObjectResponse head, String text, boolean whole) {}

    @Override
    public CompletableFuture<Body> prepare() {
        return bytes.thenApply(all -> {
            GetObjectResponse answer = head;
            if (answer == null) {
                throw new IllegalStateException("a body without a head");
            }
            return new Body(answer, all.toString(StandardCharsets.UTF_8), all.size() <= bound);
        });
    }

    @Override
    public void onResponse(GetObjectResponse response) {
        head = response;
    }

    @Override
    public void exceptionOccurred(Throwable error) {
        bytes.completeExceptionally(error);
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
        publisher.subscribe(new Collector());
    }

    private final class Collector implements Subscriber<ByteBuffer> {
        private final ByteArrayOutputStream all = new ByteArrayOutputStream(1_024);
        private @Nullable Subscription subscription;

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer part) {
            byte[] some = new byte[Math.min(part.remaining(), bound + 1 - all.size())];
            part.get(some);
            all.writeBytes(some);
            if (all.size() > bound && subscription != null) {
                subscription.cancel();
                bytes.complete(all);
            }
        }

        @Override
        public void onError(Throwable error) {
            bytes.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
            bytes.complete(all);
        }
    }
}
