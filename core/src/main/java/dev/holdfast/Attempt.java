package dev.holdfast;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.util.List;
import java.util.function.Function;

/**
 * What came of trying to take a lock, or to work under it.
 *
 * @param <T> what a success gives
 */
public sealed interface Attempt<T> {
    /** One function per member; the compiler counts them. */
    <X> X fold(Function<Done<T>, X> done, Function<Busy<T>, X> busy, Function<Lost<T>, X> lost);

    /** The same attempt with another value. */
    default <X> Attempt<X> map(Function<T, X> change) {
        return fold(
                done -> new Done<>(change.apply(done.value())),
                busy -> new Busy<>(busy.holders(), busy.waiting()),
                lost -> new Lost<>(lost.reason()));
    }

    /** The value. Throws {@link LockBusyException} or {@link LeaseLostException} if there is none. */
    default T orThrow(LockKey key) {
        return fold(
                Done::value,
                busy -> {
                    throw new LockBusyException(key, busy.holders(), busy.waiting());
                },
                lost -> {
                    throw new LeaseLostException(key, lost.reason());
                });
    }

    /**
     * It worked.
     *
     * @param value what came of it
     */
    record Done<T>(T value) implements Attempt<T> {
        @Override
        public <X> X fold(Function<Done<T>, X> done, Function<Busy<T>, X> busy, Function<Lost<T>, X> lost) {
            return done.apply(this);
        }
    }

    /**
     * Others have the lock, or were first.
     *
     * @param holders who holds what is in the way; empty when only waiters are
     * @param waiting how many wait
     */
    record Busy<T>(List<Holder> holders, int waiting) implements Attempt<T> {
        @Override
        public <X> X fold(Function<Done<T>, X> done, Function<Busy<T>, X> busy, Function<Lost<T>, X> lost) {
            return busy.apply(this);
        }
    }

    /**
     * The lease was lost, or had ended before.
     *
     * @param reason why
     */
    record Lost<T>(LostReason reason) implements Attempt<T> {
        @Override
        public <X> X fold(Function<Done<T>, X> done, Function<Busy<T>, X> busy, Function<Lost<T>, X> lost) {
            return lost.apply(this);
        }
    }
}
