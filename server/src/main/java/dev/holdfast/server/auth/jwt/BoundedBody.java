package dev.holdfast.server.auth.jwt;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** A body of at most so many bytes; the connection is dropped when there are more. */
final class BoundedBody implements BodySubscriber<byte[]> {
    private final int limit;
    private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
    private Optional<Flow.Subscription> subscription = Optional.empty();
    private long received;

    BoundedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription source) {
        subscription = Optional.of(source);
        whole.onSubscribe(source);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        received += part.stream().mapToLong(ByteBuffer::remaining).sum();
        if (received <= limit) {
            whole.onNext(part);
        } else {
            subscription.ifPresent(Flow.Subscription::cancel);
            whole.onError(new IOException("the answer is larger than " + limit + " bytes"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        whole.onError(failure);
    }

    @Override
    public void onComplete() {
        whole.onComplete();
    }
}
