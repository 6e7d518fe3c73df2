package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One caller who waits for a lock in this process. Its fields are guarded by the {@link Waiting} it belongs to. */
final class ParkedCaller {
    final Command.Acquire ask;
    final Cause cause;
    final Duration keepPlace;
    /** When it came, among all callers who wait for this lock here. */
    final long order;

    final CompletableFuture<Answer<AcquireResult>> told = new CompletableFuture<>();

    /** One too many for this process: it may take a free lock, but not wait. */
    boolean overCapacity;
    /** Its question is under way. */
    boolean asking;
    /** The lock was handed to its place between two calls: what it finds held, nobody was told of. */
    boolean handedBefore;
    /** Told by a round of this engine; its own question, still under way, will be answered with the same grant. */
    boolean granted;
    /** It waits no longer, but its question is still under way: what it is told must come from the answer. */
    boolean timeIsUp;
    /** The later call of the same acquisition, which what is answered here is for. */
    @Nullable ParkedCaller successor;

    AcquireResult.@Nullable Queued last;
    Machine.@Nullable Timer timeout;

    ParkedCaller(Command.Acquire ask, Cause cause, Duration keepPlace, long order) {
        this.ask = ask;
        this.cause = cause;
        this.keepPlace = keepPlace;
        this.order = order;
    }

    /** Whether it is on its way into the stored queue. */
    boolean isEntering() {
        return asking && last == null;
    }

    /** Whether it has a place in the stored queue. */
    boolean hasPlace() {
        return last != null || asking;
    }

    /** A place kept for a caller between two polls. */
    static final class KeptPlace {
        final ParkedCaller caller;
        /** What was handed to it meanwhile: the next poll finds it held. */
        @Nullable Hold granted;

        Machine.Timer expiry = () -> {};

        KeptPlace(ParkedCaller caller) {
            this.caller = caller;
        }
    }
}
