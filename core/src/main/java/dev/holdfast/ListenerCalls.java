package dev.holdfast;

import dev.holdfast.internal.engine.machine.CallerContext;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener of a client, and in whose context. A listener that fails must not change what becomes of a lock. */
final class ListenerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LockListener.class);

    private final LockListener listener;
    private final UnaryOperator<Runnable> contexts;
    private final LocalTime time;

    ListenerCalls(ClientConfig config, LocalTime time) {
        this.listener = config.listener();
        this.contexts = config.context();
        this.time = time;
    }

    /** How a task gets the context of its caller. */
    UnaryOperator<Runnable> contexts() {
        return contexts;
    }

    /** The context of the caller, as it is now. */
    Executor context() {
        return CallerContext.taken(contexts);
    }

    long now() {
        return time.nanos();
    }

    private Duration since(long start) {
        return Duration.ofNanos(time.nanos() - start);
    }

    /** What came of asking, begun then. */
    void answered(LockKey key, Attempt<? extends Lease> attempt, long start) {
        attempt.fold(
                done -> tell(it -> it.acquired(done.value(), since(start))),
                busy -> tell(it -> it.busy(key, since(start))),
                lost -> tell(it -> it.failed(key, new LeaseLostException(key, lost.reason())))); // an id that has ended
    }

    void failed(LockKey key, Throwable failure) {
        boolean unused = tell(it -> it.failed(key, failure));
    }

    void lost(LockKey key, LostReason reason) {
        boolean unused = tell(it -> it.lost(key, reason));
    }

    void released(LockKey key, long granted) {
        boolean unused = tell(it -> it.released(key, since(granted)));
    }

    boolean isHeard() {
        return listener != LockListener.NONE;
    }

    private boolean tell(Consumer<LockListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException | Error e) {
            LOG.error("A lock listener failed; the lock is not affected", e);
        }
        return true;
    }
}
