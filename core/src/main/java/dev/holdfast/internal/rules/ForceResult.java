package dev.holdfast.internal.rules;

import dev.holdfast.model.Hold;
import java.util.List;
import java.util.function.Function;

/** Answers to {@link Command.ForceRelease}. */
public sealed interface ForceResult {
    /** One function per member. */
    default <X> X fold(Function<Forced, X> forced, Function<Changed, X> changed) {
        if (this instanceof Forced forcedOne) {
            return forced.apply(forcedOne);
        }
        return changed.apply((Changed) this);
    }

    /**
     * Ended.
     *
     * @param victim the hold as it was
     */
    record Forced(Hold victim) implements ForceResult {}

    /**
     * The hold the operator saw is not there any more; nothing was changed.
     *
     * @param holders who holds now
     */
    record Changed(List<Hold> holders) implements ForceResult {}
}
