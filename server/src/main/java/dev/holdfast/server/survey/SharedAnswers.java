package dev.holdfast.server.survey;

import dev.holdfast.internal.parts.RecentMap;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that cost something and are good for everybody who asks the same within a moment: ten who ask cost as much as one. An answer is
 * kept for a second, and longer if it took long to find, so that finding it never takes more than a fifth of the time, but not so long
 * that people would be misled. A failure is told to those who waited for it, and not kept, and nobody waits forever. Safe for any thread.
 */
public final class SharedAnswers<K, V> {
    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final int SHARE = 5;
    /** The oldest answer that is given. */
    private static final long OLDEST = Duration.ofSeconds(15).toNanos();
    /** What takes longer than this has failed. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Different questions remembered; more of them are answered all the same, each for itself. */
    private static final int MOST = 64;

    private final LongSupplier nanos;
    private final Map<K, KeptAnswer<V>> kept = new RecentMap<>(MOST);

    public SharedAnswers(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private static final class KeptAnswer<V> {
        private final long start;
        private final CompletableFuture<V> answer = new CompletableFuture<>();
        private volatile long took;

        KeptAnswer(long start) {
            this.start = start;
        }

        boolean isGood(long now) {
            return !answer.isDone()
                    || (!answer.isCompletedExceptionally()
                            && now - start < Math.min(Math.max(FRESH, took * SHARE), took + OLDEST));
        }
    }

    /** The answer that is kept or under way, or what {@code find} finds. */
    public CompletableFuture<V> get(K question, Supplier<CompletableFuture<V>> find) {
        KeptAnswer<V> mine;
        synchronized (this) {
            long now = nanos.getAsLong();
            KeptAnswer<V> known = kept.get(question);
            if (known != null && known.isGood(now)) {
                return known.answer.copy();
            }
            kept.values().removeIf(old -> !old.isGood(now)); // an answer may be large
            mine = new KeptAnswer<>(now);
            kept.put(question, mine);
        }
        return find(mine, find);
    }

    synchronized int size() {
        return kept.size();
    }

    private CompletableFuture<V> find(KeptAnswer<V> mine, Supplier<CompletableFuture<V>> find) {
        var unused = CompletableFuture.completedFuture(find)
                .thenCompose(Supplier::get) // what it throws is a failure, too: nobody may wait for it forever
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((value, failure) -> {
                    mine.took = nanos.getAsLong() - mine.start;
                    if (failure != null) {
                        mine.answer.completeExceptionally(failure);
                    } else {
                        mine.answer.complete(value);
                    }
                });
        return mine.answer.copy();
    }
}
