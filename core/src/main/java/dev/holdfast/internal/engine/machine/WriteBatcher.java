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
 * timer: what queued during the last write is the next batch. When nothing is under way, a caller that may block runs its
 * own write: no thread hop.
 */
public final class WriteBatcher {
    /** Told what became of a write: a result, or a failure. */
    public interface Written {
        void done(@Nullable WriteResult result, @Nullable Throwable failure);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteBatcher.class);

    private record Pending(Write write, Written written) {}

    private final RecordStore store;
    private final Machine machine;
    private final EngineMeter meter;
    private final WriteHealth health;
    private final int lanes;
    private final Deque<Pending> queue = new ArrayDeque<>();
    private int busyLanes;

    public WriteBatcher(RecordStore store, Machine machine, EngineMeter meter, WriteHealth health, int lanes) {
        this.store = store;
        this.machine = machine;
        this.meter = meter;
        this.health = health;
        this.lanes = lanes;
    }

    public void submit(Write write, Written written, Calling calling) {
        Pending pending = new Pending(write, written);
        synchronized (queue) {
            if (busyLanes >= lanes) {
                queue.addLast(pending);
                return;
            }
            busyLanes++;
        }
        List<Pending> alone = List.of(pending);
        if (calling == Calling.BLOCKING || !store.traits().blocking()) {
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
                others = next();
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
                        send(next(), false);
                    }
                });
                return;
            }
            if (store.traits().blocking()) {
                elsewhere(next()); // the next write goes on while these are told
                Stages.then(answer, (results, failure) -> deliver(sent, results, failure));
                return;
            }
            Stages.then(answer, (results, failure) -> deliver(sent, results, failure));
            batch = next();
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

    /** What queued meanwhile; if nothing, this lane is free. */
    private List<Pending> next() {
        synchronized (queue) {
            if (queue.isEmpty()) {
                busyLanes--;
                return List.of();
            }
            List<Pending> next =
                    new ArrayList<>(Math.min(queue.size(), store.traits().maxBatch()));
            while (!queue.isEmpty() && next.size() < store.traits().maxBatch()) {
                next.add(queue.removeFirst());
            }
            return next;
        }
    }
}
