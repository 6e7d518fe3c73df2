package dev.holdfast.internal.engine.machine;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
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
 * write; and for what waits behind a call that takes unusually long.
 *
 * <p>After a small batch the next one waits for a moment: those who are told often come again at once, and go with it then. Else half of
 * them would always be under way while the other half comes, and each would wait for two calls.
 */
public final class WriteBatcher {
    /** Told what became of a write: a result, or a failure. */
    public interface WriteListener {
        /** It leaves for the store now; until here it waited for others. */
        default void sent() {}

        void done(@Nullable WriteResult result, @Nullable Throwable failure);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteBatcher.class);

    /** A call that takes longer is held up by something, such as a row that somebody has locked: nobody waits behind it. */
    private static final Duration LONG = Duration.ofMillis(10);

    /** How long those who were told may take to come again: the way to the caller's thread and back. */
    private static final long GATHERING_NANOS = 40_000;
    /** Larger batches have enough to do while the next one fills. */
    private static final int SMALL = 8;

    private record Pending(Write write, WriteListener listener) {}

    /** Writes that are under way together. */
    private static final class Call {
        private final List<Pending> batch;
        private final long started;

        private Call(List<Pending> batch, long started) {
            this.batch = batch;
            this.started = started;
        }
    }

    private final RecordStore store;
    private final Machine machine;
    private final EngineMeter meter;
    private final WriteHealth health;
    private final int lanes;
    private final int singles;
    private final Deque<Pending> queue = new ArrayDeque<>();
    private final List<Call> calls = new ArrayList<>();
    /** Records in the calls under way. */
    private int underWay;
    /** Whether somebody will look whether what is queued waits behind a long call. */
    private boolean watched;
    /** The thread that waits for those to come who were just told, and how many writes it waits for. */
    private @Nullable Thread gatherer;

    private int awaited;

    /**
     * With lanes for batches, and for records each on its own as long as no more than {@code singles} are under way. While a call takes
     * long there are as many lanes for batches too.
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

    public void submit(Write write, WriteListener listener, Calling calling) {
        Pending pending = new Pending(write, listener);
        boolean own = calling == Calling.BLOCKING || !store.traits().blocking();
        Call alone;
        synchronized (queue) {
            boolean single = own && queue.isEmpty() && underWay < singles;
            if (!single && calls.size() >= open()) {
                enqueue(pending);
                return;
            }
            alone = begin(List.of(pending));
        }
        if (own) {
            send(alone, true);
        } else {
            elsewhere(alone);
        }
    }

    private void enqueue(Pending pending) {
        queue.addLast(pending);
        if (gatherer != null && queue.size() >= awaited) {
            LockSupport.unpark(gatherer);
        }
        if (!watched && singles > lanes) {
            watched = true;
            machine.after(LONG, this::relieve);
        }
    }

    private Call begin(List<Pending> batch) {
        Call call = new Call(batch, machine.time().nanos());
        calls.add(call);
        underWay += batch.size();
        return call;
    }

    /** How many lanes there are now. */
    private int open() {
        if (singles <= lanes || calls.size() < lanes) {
            return lanes;
        }
        long now = machine.time().nanos();
        for (Call call : calls) {
            if (now - call.started >= LONG.toNanos()) {
                return singles;
            }
        }
        return lanes;
    }

    /** What has waited for a while goes on its way, if what it waits for takes long. */
    private void relieve() {
        Call relief = null;
        synchronized (queue) {
            if (calls.size() < open()) {
                relief = take();
            }
            watched = !queue.isEmpty();
            if (watched) {
                machine.after(LONG, this::relieve);
            }
        }
        elsewhere(relief);
    }

    /** Sends on another thread. If there is none to be had, the lane is free again and its writers hear so. */
    private void elsewhere(@Nullable Call first) {
        Call call = first;
        while (call != null) {
            Call sent = call;
            try {
                machine.run(() -> send(sent, false));
                return;
            } catch (Throwable failure) {
                deliver(
                        sent.batch,
                        null,
                        new StoreUnavailableException("no thread could be had for the write", failure));
                call = next(sent);
            }
        }
    }

    /** Sends batches until an answer is outstanding or nothing is queued. */
    private void send(@Nullable Call first, boolean callersThread) {
        Call call = first;
        while (call != null) {
            Call sent = call;
            CompletableFuture<List<WriteResult>> answer = write(sent.batch);
            if (!answer.isDone()) {
                Stages.then(answer, (results, failure) -> {
                    try {
                        deliver(sent.batch, results, failure);
                    } finally {
                        send(next(sent), false);
                    }
                });
                return;
            }
            boolean blocking = store.traits().blocking();
            if (blocking && (callersThread || sent.batch.size() > SMALL)) {
                elsewhere(next(sent)); // the next write goes on while these are told
                Stages.then(answer, (results, failure) -> deliver(sent.batch, results, failure));
                return;
            }
            Stages.then(answer, (results, failure) -> deliver(sent.batch, results, failure));
            if (blocking && sent.batch.size() > 1) {
                gather(sent.batch.size());
            }
            call = next(sent);
            if (callersThread) {
                elsewhere(call); // a caller works for itself, not for all who came after
                return;
            }
        }
    }

    /** Waits a moment for as many as were just told to come again. */
    private void gather(int told) {
        long end = System.nanoTime() + GATHERING_NANOS;
        synchronized (queue) {
            if (gatherer != null) {
                return; // another does
            }
            gatherer = Thread.currentThread();
            awaited = told + queue.size();
        }
        long left = GATHERING_NANOS;
        while (left > 0) {
            LockSupport.parkNanos(this, left);
            synchronized (queue) {
                left = queue.size() >= awaited ? 0 : end - System.nanoTime();
            }
        }
        synchronized (queue) {
            gatherer = null;
        }
    }

    private CompletableFuture<List<WriteResult>> write(List<Pending> batch) {
        List<Write> writes = new ArrayList<>(batch.size());
        for (Pending pending : batch) {
            writes.add(pending.write());
            pending.listener().sent();
        }
        return Stages.measured(meter, EngineMeter.Operation.WRITE, writes.size(), () -> store.write(writes))
                .toCompletableFuture();
    }

    private void deliver(List<Pending> batch, @Nullable List<WriteResult> results, @Nullable Throwable failure) {
        remember(results, failure);
        for (int i = 0; i < batch.size(); i++) {
            tell(batch.get(i).listener(), results == null || i >= results.size() ? null : results.get(i), failure);
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
    private static void tell(WriteListener listener, @Nullable WriteResult result, @Nullable Throwable failure) {
        try {
            if (result instanceof WriteResult.Failed failed) {
                listener.done(null, failed.why());
            } else {
                listener.done(result, failure);
            }
        } catch (Throwable e) {
            LOG.error("The lock engine failed after a write; please report this", e);
        }
    }

    /** What queued during this call; nothing if nothing did, or if others take it. */
    private @Nullable Call next(Call done) {
        synchronized (queue) {
            calls.remove(done);
            underWay -= done.batch.size();
            return calls.size() < open() ? take() : null;
        }
    }

    private @Nullable Call take() {
        if (queue.isEmpty()) {
            return null;
        }
        int size = Math.min(queue.size(), store.traits().maxBatch());
        List<Pending> batch = new ArrayList<>(size);
        while (batch.size() < size) {
            batch.add(queue.removeFirst());
        }
        return begin(batch);
    }
}
