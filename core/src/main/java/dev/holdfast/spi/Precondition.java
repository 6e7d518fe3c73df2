package dev.holdfast.spi;

import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What must be true of the stored record for a write to happen. */
public sealed interface Precondition {
    /** One function per member. */
    <X> X fold(Function<Absent, X> absent, Function<Stamped, X> stamped, Function<IdleBelow, X> idleBelow);

    /** There is no such record. */
    record Absent() implements Precondition {
        @Override
        public <X> X fold(Function<Absent, X> absent, Function<Stamped, X> stamped, Function<IdleBelow, X> idleBelow) {
            return absent.apply(this);
        }
    }

    /**
     * The record is there and nobody wrote it since it had this stamp.
     *
     * @param stamp the expected stamp
     * @param tag {@link Versioned#tag()} that came with it
     * @param notBefore if given, the store's own clock must have reached this at the write, else {@link WriteResult.TooEarly};
     *     stores without a clock leave it out
     */
    record Stamped(Stamp stamp, String tag, Optional<Instant> notBefore) implements Precondition {
        /** That it is as it was read, whatever the time. */
        public static Stamped as(Versioned read) {
            return new Stamped(read.record().stamp(), read.tag(), Optional.empty());
        }

        @Override
        public <X> X fold(Function<Absent, X> absent, Function<Stamped, X> stamped, Function<IdleBelow, X> idleBelow) {
            return stamped.apply(this);
        }
    }

    /**
     * There is no such record, or nobody holds and nobody waits, its fence is below this token, none of these leases is
     * among its ended ones, and its format is not newer than ours. What it remembers
     * ({@link dev.holdfast.model.Past}) is kept and returned. A store that cannot do this in one step may refuse whenever the
     * record exists.
     *
     * @param token the highest token the write gives out
     * @param leases the acquisitions the write grants or queues
     */
    record IdleBelow(Token token, List<LeaseId> leases) implements Precondition {
        /** Whether a record that is stored may be replaced unseen. */
        public boolean isMetBy(LockRecord stored) {
            return stored.isIdle()
                    && !stored.isNewer()
                    && stored.fence().compareTo(token) < 0
                    && leases.stream()
                            .noneMatch(lease -> stored.past().how(lease).isPresent());
        }

        @Override
        public <X> X fold(Function<Absent, X> absent, Function<Stamped, X> stamped, Function<IdleBelow, X> idleBelow) {
            return idleBelow.apply(this);
        }
    }
}
