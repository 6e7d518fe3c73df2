package dev.holdfast;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of trying to take a lock, or to work under it. A value: safe for any thread.
 *
 * @param <T> what a success gives
 */
public sealed interface Attempt<T extends @Nullable Object> {
    /** One function per case; the compiler checks that none is missing. */
    default <X extends @Nullable Object> X fold(
            Function<Done<T>, X> done, Function<Busy<T>, X> busy, Function<Lost<T>, X> lost) {
        if (this instanceof Done<T> doneOne) {
            return done.apply(doneOne);
        }
        if (this instanceof Busy<T> busyOne) {
            return busy.apply(busyOne);
        }
        return lost.apply((Lost<T>) this);
    }

    /** The same attempt with another value. */
    default <X extends @Nullable Object> Attempt<X> map(Function<T, X> change) {
        return fold(
                done -> new Done<>(change.apply(done.value())),
                busy -> new Busy<>(busy.key(), busy.holders(), busy.waiting()),
                lost -> new Lost<>(lost.key(), lost.reason()));
    }

    /**
     * The value.
     *
     * @throws LockBusyException if others have the lock
     * @throws LeaseLostException if it was lost
     */
    default T orThrow() {
        return fold(
                Done::value,
                busy -> {
                    throw new LockBusyException(busy.key(), busy.holders(), busy.waiting());
                },
                lost -> {
                    throw new LeaseLostException(lost.key(), lost.reason());
                });
    }

    /** The value, if it worked. */
    default Optional<T> toOptional() {
        return this instanceof Done<T> done ? Optional.ofNullable(done.value()) : Optional.empty();
    }

    /** Goes on with the value if it worked; else does nothing. */
    default void ifDone(Consumer<? super T> next) {
        if (this instanceof Done<T> done) {
            next.accept(done.value());
        }
    }

    /** Whether it worked. */
    default boolean isDone() {
        return this instanceof Done;
    }

    /**
     * It worked.
     *
     * @param value what came of it
     */
    record Done<T extends @Nullable Object>(T value) implements Attempt<T> {}

    /**
     * Others have the lock, or were first.
     *
     * @param key which
     * @param holders the holders that are in the way; empty if only waiters are
     * @param waiting how many wait
     */
    record Busy<T extends @Nullable Object>(LockKey key, List<Holder> holders, int waiting) implements Attempt<T> {}

    /**
     * The lease was lost, or had ended before.
     *
     * @param key which
     * @param reason why
     */
    record Lost<T extends @Nullable Object>(LockKey key, LostReason reason) implements Attempt<T> {}
}
