package dev.holdfast.aws;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The connections of a client and the thread that serves them, closed at once, with what is under way: left to itself, the client
 * waits two seconds at its end for requests that cannot come, and every command with it.
 */
public final class AwsHttpClient implements SdkAsyncHttpClient {
    private static final long CLOSE_SECONDS = 2;

    /**
     * It only moves bytes, some ten thousand requests a second. Of several, those that end first would leave the others with work
     * that nobody takes, and a page of warnings.
     */
    private static final int THREADS = 1;

    private final SdkAsyncHttpClient http;
    private final SdkEventLoopGroup threads;
    /** What ends each request under way. */
    private final Set<Runnable> underWay = ConcurrentHashMap.newKeySet();

    private AwsHttpClient(SdkAsyncHttpClient http, SdkEventLoopGroup threads) {
        this.http = http;
        this.threads = threads;
    }

    /** Makes them when a client of AWS is made, which closes them with itself. */
    public static SdkAsyncHttpClient.Builder<?> builder(NettyNioAsyncHttpClient.Builder netty) {
        return new Builder(netty);
    }

    private record Builder(NettyNioAsyncHttpClient.Builder netty) implements SdkAsyncHttpClient.Builder<Builder> {
        @Override
        public SdkAsyncHttpClient buildWithDefaults(AttributeMap defaults) {
            SdkEventLoopGroup threads =
                    SdkEventLoopGroup.builder().numberOfThreads(THREADS).build();
            return new AwsHttpClient(netty.eventLoopGroup(threads).buildWithDefaults(defaults), threads);
        }
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        CompletableFuture<Void> sent = http.execute(request);
        Runnable end = () -> sent.completeExceptionally(new IOException("this side closed the connection"));
        underWay.add(end);
        CompletionStage<Void> answered = sent;
        answered.whenComplete((nothing, failure) -> underWay.remove(end));
        return sent;
    }

    @Override
    public String clientName() {
        return http.clientName();
    }

    @Override
    public void close() {
        // First, while there is a thread for it: their time would run out when there is none, which is logged as an
        // error.
        underWay.forEach(Runnable::run);
        http.close();
        threads.eventLoopGroup()
                .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
