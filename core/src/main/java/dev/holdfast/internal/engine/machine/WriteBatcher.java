package dev.holdfast.internal.engine.machine;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes of different locks that are ready together go down in one call; the next batch fills while one is under way. No
 * timer: what queued during the last write is the next batch. A caller that may block and finds a lane runs its own write: no
 * thread hop.
 *
 * <p>There are more lanes while there is little to write. A few writes at once are fastest each on its own, since a database makes
 * commits of several connections durable together. Many are fastest in a few large batches, since every call has its price. So a
 * lane beyond the usual ones opens only while little is under way, for a caller that needs no thread of ours, and closes after its
 * write.
 */
public final class WriteBatcher {
    /** Told what became of a write: a result, or a failure. */
    public interface Written {
        /** It leaves for the store now; until here it waited for others. */
        default void sent() {}

        void done(@Nullable WriteResult result, @Nullable Throwable failure);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteBatcher.class);

    private record Pending(Write write, Written written) {}

    private final RecordStore store;
    private final Machine machine;
    private final EngineMeter meter;
    private final WriteHealth health;
    private final int lanes;
    private final int singles;
    private final Deque<Pending> queue = new ArrayDeque<>();
    private int busyLanes;
    /** Records in the calls under way. */
    private int underWay;

    /**
     * With lanes for batches, and for records each on its own as long as no more than {@code singles} are under way.
     */
    public WriteBatcher(
            RecordStore store, Machine machine, EngineMeter meter, WriteHealth health, int lanes, int singles) {
        this.store = store;
        this.machine = machine;
        this.meter = meter;
        this.health = health;
        this.lanes = lanes;
        this.singles = singles;
    }

    public void submit(Write write, Written written, Calling calling) {
        Pending pending = new Pending(write, written);
        boolean own = calling == Calling.BLOCKING || !store.traits().blocking();
        synchronized (queue) {
            if (busyLanes >= lanes && !(own && queue.isEmpty() && underWay < singles)) {
                queue.addLast(pending);
                return;
            }
            busyLanes++;
            underWay++;
        }
        List<Pending> alone = List.of(pending);
        if (own) {
            send(alone, true);
        } else {
            elsewhere(alone);
        }
    }

    /** Sends on another thread. If there is none to be had, the lane is free again and its writers hear so. */
    private void elsewhere(List<Pending> batch) {
        List<Pending> others = batch;
        while (!others.isEmpty()) {
            List<Pending> sent = others;
            try {
                machine.run(() -> send(sent, false));
                return;
            } catch (Throwable failure) {
                deliver(sent, null, new StoreUnavailableException("no thread could be had for the write", failure));
                others = next(sent.size());
            }
        }
    }

    /** Sends batches until an answer is outstanding or nothing is queued. */
    private void send(List<Pending> first, boolean callersThread) {
        List<Pending> batch = first;
        while (!batch.isEmpty()) {
            List<Pending> sent = batch;
            CompletableFuture<List<WriteResult>> answer = call(sent);
            if (!answer.isDone()) {
                Stages.then(answer, (results, failure) -> {
                    try {
                        deliver(sent, results, failure);
                    } finally {
                        send(next(sent.size()), false);
                    }
                });
                return;
            }
            if (store.traits().blocking()) {
                elsewhere(next(sent.size())); // the next write goes on while these are told
                Stages.then(answer, (results, failure) -> deliver(sent, results, failure));
                return;
            }
            Stages.then(answer, (results, failure) -> deliver(sent, results, failure));
            batch = next(sent.size());
            if (callersThread) {
                elsewhere(batch); // a caller works for itself, not for all who came after
                return;
            }
        }
    }

    private CompletableFuture<List<WriteResult>> call(List<Pending> batch) {
        List<Write> writes = new ArrayList<>(batch.size());
        for (Pending pending : batch) {
            writes.add(pending.write());
            pending.written().sent();
        }
        return Stages.measured(meter, EngineMeter.Operation.WRITE, writes.size(), () -> store.write(writes))
                .toCompletableFuture();
    }

    private void deliver(List<Pending> batch, @Nullable List<WriteResult> results, @Nullable Throwable failure) {
        remember(results, failure);
        for (int i = 0; i < batch.size(); i++) {
            tell(batch.get(i).written(), results == null || i >= results.size() ? null : results.get(i), failure);
        }
    }

    private void remember(@Nullable List<WriteResult> results, @Nullable Throwable failure) {
        if (failure != null) {
            health.failed(failure);
        } else if (results != null && results.stream().anyMatch(WriteResult.Applied.class::isInstance)) {
            health.worked();
        } else if (results != null
                && results.stream().allMatch(WriteResult.Failed.class::isInstance)
                && !results.isEmpty()
                && results.get(0) instanceof WriteResult.Failed first) {
            health.failed(first.why());
        }
    }

    /** One who fails at its answer must keep neither the others nor the lane from theirs. */
    private static void tell(Written written, @Nullable WriteResult result, @Nullable Throwable failure) {
        try {
            if (result instanceof WriteResult.Failed failed) {
                written.done(null, failed.why());
            } else {
                written.done(result, failure);
            }
        } catch (Throwable e) {
            LOG.error("The lock engine failed after a write; please report this", e);
        }
    }

    /** What queued while so many records were written; if nothing, or if others take it, this lane is free. */
    private List<Pending> next(int written) {
        synchronized (queue) {
            underWay -= written;
            if (queue.isEmpty() || busyLanes > lanes) {
                busyLanes--;
                return List.of();
            }
            List<Pending> next =
                    new ArrayList<>(Math.min(queue.size(), store.traits().maxBatch()));
            while (!queue.isEmpty() && next.size() < store.traits().maxBatch()) {
                next.add(queue.removeFirst());
            }
            underWay += next.size();
            return next;
        }
    }
}
