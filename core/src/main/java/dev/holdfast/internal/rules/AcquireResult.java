package dev.holdfast.internal.rules;

import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Answers to {@link Command.Acquire}. */
public sealed interface AcquireResult {
    /** One function per member; the compiler counts them. */
    default <X> X fold(
            Function<Granted, X> granted, Function<Queued, X> queued, Function<Busy, X> busy, Function<Lost, X> lost) {
        if (this instanceof Granted grantedOne) {
            return granted.apply(grantedOne);
        }
        if (this instanceof Queued queuedOne) {
            return queued.apply(queuedOne);
        }
        if (this instanceof Busy busyOne) {
            return busy.apply(busyOne);
        }
        return lost.apply((Lost) this);
    }

    /**
     * The lock is held by this acquisition.
     *
     * @param hold the hold, with its token and end
     * @param done the last completed generation of once-only work under this lock
     * @param again it was held before it was asked for: another call of the same acquisition may have been told of it
     */
    record Granted(Hold hold, Optional<Done> done, boolean again) implements AcquireResult {
        /** A grant nobody was told of before. */
        public Granted(Hold hold, Optional<Done> done) {
            this(hold, done, false);
        }

        /** The same, told as this. */
        Granted as(Hold told) {
            return new Granted(told, done, again);
        }

        /** The same, and nobody can have been told of it. */
        public Granted forTheFirstTime() {
            return new Granted(hold, done, false);
        }

        /** The same, with what was done before it as known now. */
        public Granted withDone(Optional<Done> known) {
            return new Granted(hold, known, again);
        }
    }

    /**
     * In the queue.
     *
     * @param position from 1
     * @param holders who holds what is in the way
     */
    record Queued(int position, List<Hold> holders) implements AcquireResult {}

    /**
     * Refused; nothing was changed for this acquisition.
     *
     * @param holders who holds what is in the way; may be empty when only waiters are
     * @param queueLength how many wait
     * @param full whether it wanted to wait or hold, but the record has no room for it
     */
    record Busy(List<Hold> holders, int queueLength, boolean full) implements AcquireResult {}

    /**
     * This lease id had ended already, or names another acquisition: it is never granted again.
     *
     * @param reason how it ended
     */
    record Lost(LostReason reason) implements AcquireResult {}
}
