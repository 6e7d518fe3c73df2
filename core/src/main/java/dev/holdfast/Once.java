package dev.holdfast;

import dev.holdfast.model.Done;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.util.List;
import java.util.function.Function;

/** What came of once-only work. A value: safe for any thread. */
public sealed interface Once {
    /** One function per case. */
    default <X> X fold(
            Function<Ran, X> ran,
            Function<AlreadyDone, X> alreadyDone,
            Function<StillRunning, X> stillRunning,
            Function<Lost, X> lost) {
        if (this instanceof Ran ranOne) {
            return ran.apply(ranOne);
        }
        if (this instanceof AlreadyDone alreadyDoneOne) {
            return alreadyDone.apply(alreadyDoneOne);
        }
        if (this instanceof StillRunning stillRunningOne) {
            return stillRunning.apply(stillRunningOne);
        }
        return lost.apply((Lost) this);
    }

    /**
     * Returns only if the work is done, by this call or earlier.
     *
     * @throws LockBusyException if another process was still working when the wait ended
     * @throws LeaseLostException if this call did it but lost the lease meanwhile: it may be done again
     */
    default void orThrow() {
        if (this instanceof StillRunning running) {
            throw new LockBusyException(running.key(), running.holders(), 0);
        }
        if (this instanceof Lost lost) {
            throw new LeaseLostException(lost.key(), lost.reason());
        }
    }

    /** This call did it, and its completion is recorded. */
    record Ran() implements Once {}

    /**
     * It was completed before; nothing was run.
     *
     * @param done by whom, when, under which token
     */
    record AlreadyDone(Done done) implements Once {}

    /**
     * Another was still at it when the wait ended; nothing was run.
     *
     * @param key of which lock
     * @param holders who
     */
    record StillRunning(LockKey key, List<Holder> holders) implements Once {}

    /**
     * This call ran it but lost the lease meanwhile: its completion is not recorded, and another may run it again.
     *
     * @param key of which lock
     * @param reason why
     */
    record Lost(LockKey key, LostReason reason) implements Once {}
}
