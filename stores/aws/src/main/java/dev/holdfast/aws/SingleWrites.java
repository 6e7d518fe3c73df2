package dev.holdfast.aws;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A batch of writes where each is a request of its own, all sent at once: what becomes of one says nothing about the others. */
public final class SingleWrites {
    private SingleWrites() {}

    /** Makes these writes; one that fails among several is a {@link WriteResult.Failed} and leaves the others their results. */
    public static CompletionStage<List<WriteResult>> of(
            List<Write> writes, Function<Write, CompletableFuture<WriteResult>> one) {
        if (writes.size() == 1) {
            return one.apply(writes.get(0)).thenApply(List::of);
        }
        List<CompletableFuture<WriteResult>> all = writes.stream()
                .map(write -> one.apply(write).exceptionally(failure -> failed(write, AwsFailures.cause(failure))))
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    private static WriteResult failed(Write write, Throwable failure) {
        return new WriteResult.Failed(
                failure instanceof StoreException known
                        ? known
                        : new OutcomeUnknownException(
                                "Writing lock '" + write.key().name() + "' failed", failure));
    }
}
