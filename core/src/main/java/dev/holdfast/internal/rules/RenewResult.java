package dev.holdfast.internal.rules;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import java.util.function.Function;

/** Answers to {@link Command.Renew}. */
public sealed interface RenewResult {
    /** One function per member. */
    default <X> X fold(Function<Renewed, X> renewed, Function<Lost, X> lost) {
        if (this instanceof Renewed renewedOne) {
            return renewed.apply(renewedOne);
        }
        return lost.apply((Lost) this);
    }

    /**
     * Held for another lease.
     *
     * @param hold with its new end
     */
    record Renewed(Hold hold) implements RenewResult {}

    /**
     * Not held; nothing was changed.
     *
     * @param reason how it ended
     */
    record Lost(LostReason reason) implements RenewResult {}
}
