package dev.holdfast.spi;

import dev.holdfast.model.Past;
import java.util.Optional;

/** What became of one write. */
public sealed interface WriteResult {
    /**
     * Written, durably.
     *
     * @param tag the new {@link Versioned#tag()}
     * @param kept after {@link Precondition.IdleBelow} on a record that existed: the past it keeps
     */
    record Applied(String tag, Optional<Past> kept) implements WriteResult {
        /** Written, on a store that compares stamps, with nothing to add. */
        public static final Applied PLAIN = new Applied("", Optional.empty());
    }

    /**
     * The precondition did not hold; nothing was changed.
     *
     * @param current the record as it is; empty if there is none
     */
    record Refused(Optional<Versioned> current) implements WriteResult {}

    /** The stamp matched, but the store's own clock has not reached {@code notBefore}; nothing was changed. */
    record TooEarly() implements WriteResult {}

    /**
     * This one could not be judged, though others of its batch could: its row is locked by somebody else, or cannot be read.
     * Nothing was changed, unless the reason is an {@link OutcomeUnknownException}: then this one write may have been.
     *
     * @param why whether trying again helps ({@link StoreUnavailableException}) or not ({@link StoreUnusableException})
     */
    record Failed(StoreException why) implements WriteResult {}
}
