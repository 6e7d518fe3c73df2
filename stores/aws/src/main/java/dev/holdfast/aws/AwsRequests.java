package dev.holdfast.aws;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Requests to a store at AWS, each sent once. Each tells what became of it by its value, or by the exception the store names it with;
 * each answer, good or bad, is a sample of the server's clock. What is under way when the store is closed ends then.
 */
public final class AwsRequests implements AutoCloseable {
    /** A thread that is interrupted more often than this while it sends one request has its request fail. */
    private static final int MAX_INTERRUPTS = 3;

    private final String store;
    private final LocalTime time;
    private final DateHeaderClock clock;
    private final FailureNames failures;
    private final Set<Pending<?>> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The store's exception for what failed. */
    public interface FailureNames {
        /**
         * What became of a request.
         *
         * @param doing what was being done, for the message
         * @param changes whether the request may have changed something
         */
        RuntimeException of(String doing, Throwable failure, boolean changes);
    }

    public AwsRequests(String store, LocalTime time, DateHeaderClock clock, FailureNames failures) {
        this.store = store;
        this.time = time;
        this.clock = clock;
        this.failures = failures;
    }

    /**
     * Sends a request that changes nothing, or nothing that matters before another one names it.
     *
     * @param http the answer as it came
     * @param good the value of a good answer
     * @param expected the value of a bad one; empty if it is a failure
     */
    public <A, T> CompletableFuture<T> read(
            String doing,
            Supplier<CompletableFuture<A>> call,
            Function<A, SdkHttpResponse> http,
            Function<A, T> good,
            Function<Throwable, Optional<T>> expected) {
        return send(new Pending<>(doing, new CompletableFuture<>(), false), call, http, good, expected);
    }

    /** Sends a request that may change something; for the rest see {@link #read}. */
    public <A, T> CompletableFuture<T> change(
            String doing,
            Supplier<CompletableFuture<A>> call,
            Function<A, SdkHttpResponse> http,
            Function<A, T> good,
            Function<Throwable, Optional<T>> expected) {
        return send(new Pending<>(doing, new CompletableFuture<>(), true), call, http, good, expected);
    }

    /** A request under way, so that it can be ended with the store. */
    private record Pending<T>(String doing, CompletableFuture<T> result, boolean changes) {}

    private <A, T> CompletableFuture<T> send(
            Pending<T> mine,
            Supplier<CompletableFuture<A>> call,
            Function<A, SdkHttpResponse> http,
            Function<A, T> good,
            Function<Throwable, Optional<T>> expected) {
        CompletableFuture<T> result = mine.result();
        pending.add(mine);
        CompletionStage<T> ended = result;
        ended.whenComplete((value, failure) -> pending.remove(mine));
        if (closed) {
            result.completeExceptionally(new StoreUnavailableException(store + " was closed", null));
            return result;
        }
        Anchor sent = Anchor.of(time);
        BiFunction<A, Throwable, Boolean> end = (answer, failure) -> {
            if (failure == null) {
                clock.answered(sent, http.apply(answer));
                return result.complete(good.apply(answer));
            }
            AwsFailures.answer(failure).ifPresent(bad -> clock.answered(sent, bad));
            return expected.apply(failure).map(result::complete).orElseGet(() -> fail(mine, failure));
        };
        CompletionStage<A> sending = called(call);
        sending.handle(end).whenComplete((done, bug) -> {
            if (bug != null) { // an answer we cannot make sense of
                fail(mine, bug);
            }
        });
        return result;
    }

    private boolean fail(Pending<?> mine, Throwable failure) {
        Throwable cause = AwsFailures.cause(failure);
        return mine.result().completeExceptionally(failures.of(mine.doing(), cause, mine.changes()));
    }

    /**
     * The client gives a request up, and forgets the interrupt, if the thread that sends it is interrupted. Whoever waits for a lock
     * on that thread has to hear of the interrupt, and the request has to go out.
     */
    private static <A> CompletableFuture<A> called(Supplier<CompletableFuture<A>> call) {
        boolean interrupted = false;
        try {
            for (int i = 0; ; i++) {
                interrupted |= Thread.interrupted();
                CompletableFuture<A> sent = calledOnce(call);
                if (!isGivenUp(sent)) {
                    return sent;
                }
                interrupted = true;
                if (i == MAX_INTERRUPTS) {
                    return sent;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The SDK's own clients throw only what they notice before they send. One that the caller brought may be wrapped in something that
     * waits for the answer and throws then: so a change that ended with a throw is in doubt like any other that failed.
     */
    private static <A> CompletableFuture<A> calledOnce(Supplier<CompletableFuture<A>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Some parts of the client say that they were aborted; most wrap the interrupt like any failure to send. */
    private static boolean isGivenUp(CompletableFuture<?> sent) {
        if (!sent.isCompletedExceptionally()) {
            return false;
        }
        Throwable failure =
                sent.handle((answer, failed) -> AwsFailures.cause(failed)).join();
        return AwsFailures.inside(failure, InterruptedException.class).isPresent()
                || AwsFailures.inside(failure, AbortedException.class).isPresent();
    }

    /** The answer, waited for. */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            Throwable cause = AwsFailures.cause(e);
            throw cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
        }
    }

    /** The answers, waited for. */
    public static <T> List<T> awaitAll(List<CompletableFuture<T>> answers) {
        return answers.stream().map(AwsRequests::await).toList();
    }

    /** Ends what is under way, and what is sent from now on; the client is closed by whoever made it. */
    @Override
    public void close() {
        closed = true;
        for (Pending<?> one : pending) {
            String message = store + " was closed during a request";
            one.result()
                    .completeExceptionally(
                            one.changes()
                                    ? new OutcomeUnknownException(message, null)
                                    : new StoreUnavailableException(message, null));
        }
    }
}
