package dev.holdfast.guard.probe;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A line of plain bytes. Closing the channel ends every call that is under way. */
record PlainConnection(AsynchronousSocketChannel channel) implements ProbeConnection {
    CompletableFuture<Void> connect(InetSocketAddress address) {
        return PlainConnection.<Void>call(handler -> channel.connect(address, 0, handler));
    }

    @Override
    public CompletableFuture<Void> send(ByteBuffer bytes) {
        return PlainConnection.<Integer>call(handler -> channel.write(bytes, 0, handler))
                .thenCompose(sent -> bytes.hasRemaining() ? send(bytes) : CompletableFuture.completedFuture(null));
    }

    @Override
    public CompletableFuture<Integer> receive(ByteBuffer into) {
        return call(handler -> channel.read(into, 0, handler));
    }

    private static <T> CompletableFuture<T> call(Consumer<CompletionHandler<T, Integer>> start) {
        CompletableFuture<T> future = new CompletableFuture<>();
        start.accept(new CompletionHandler<>() {
            @Override
            public void completed(T result, Integer attachment) {
                future.complete(result);
            }

            @Override
            public void failed(Throwable problem, Integer attachment) {
                future.completeExceptionally(problem);
            }
        });
        return future;
    }
}
