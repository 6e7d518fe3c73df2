package dev.holdfast.rules;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import java.util.function.Function;

/** Answers to {@link Command.Renew}. */
public sealed interface RenewResult {
    /** One function per member. */
    <X> X fold(Function<Renewed, X> renewed, Function<Lost, X> lost);

    /**
     * Held for another lease.
     *
     * @param hold with its new end
     */
    record Renewed(Hold hold) implements RenewResult {
        @Override
        public <X> X fold(Function<Renewed, X> renewed, Function<Lost, X> lost) {
            return renewed.apply(this);
        }
    }

    /**
     * Not held; nothing was changed.
     *
     * @param reason how it ended
     */
    record Lost(LostReason reason) implements RenewResult {
        @Override
        public <X> X fold(Function<Renewed, X> renewed, Function<Lost, X> lost) {
            return lost.apply(this);
        }
    }
}
