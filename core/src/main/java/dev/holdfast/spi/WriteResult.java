package dev.holdfast.spi;

import dev.holdfast.model.Past;
import java.util.Optional;
import java.util.function.Function;

/** What became of one write. */
public sealed interface WriteResult {
    /** One function per member. */
    <X> X fold(Function<Applied, X> applied, Function<Refused, X> refused, Function<TooEarly, X> tooEarly);

    /**
     * Written, durably.
     *
     * @param tag the new {@link Versioned#tag()}
     * @param kept after {@link Precondition.IdleBelow} on a record that existed: the past it keeps
     */
    record Applied(String tag, Optional<Past> kept) implements WriteResult {
        /** Written, on a store that compares stamps, with nothing to add. */
        public static final Applied PLAIN = new Applied("", Optional.empty());

        @Override
        public <X> X fold(Function<Applied, X> applied, Function<Refused, X> refused, Function<TooEarly, X> tooEarly) {
            return applied.apply(this);
        }
    }

    /**
     * The precondition did not hold; nothing was changed.
     *
     * @param current the record as it is; empty if there is none
     */
    record Refused(Optional<Versioned> current) implements WriteResult {
        @Override
        public <X> X fold(Function<Applied, X> applied, Function<Refused, X> refused, Function<TooEarly, X> tooEarly) {
            return refused.apply(this);
        }
    }

    /** The stamp matched, but the store's own clock has not reached {@code notBefore}; nothing was changed. */
    record TooEarly() implements WriteResult {
        @Override
        public <X> X fold(Function<Applied, X> applied, Function<Refused, X> refused, Function<TooEarly, X> tooEarly) {
            return tooEarly.apply(this);
        }
    }
}
