package dev.holdfast.internal.rules;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * One reading of the store's time, which serves a whole decision: the true store time lies between {@code earliest} and
 * {@code latest}.
 *
 * <p>Ends are written from {@code latest} and judged by {@code earliest}, so an error of the estimate makes a hold live
 * longer, never shorter. What was written before {@code trustedSince} may stem from another time base (the store's clock
 * stepped, or another server took over): it is judged only by having been watched, unchanged, for its whole lease.
 *
 * @param earliest the store's clock shows at least this
 * @param latest the store's clock shows at most this
 * @param trustedSince ends written before this are judged by observation only; {@link Instant#MIN} if the clock never stepped
 * @param outlived holds that were watched, exactly so, for their whole lease
 * @param silent engines whose last word, this one, was watched for as long as it counts
 */
public record Moment(
        Instant earliest, Instant latest, Instant trustedSince, Set<Hold> outlived, Map<EngineId, Instant> silent) {
    /** How long an engine with waiters is taken for alive after it last said so. */
    public static final Duration ALIVE_FOR = Duration.ofSeconds(15);

    /** An engine says that it lives when no more than this is left of its last word. */
    static final Duration SAY_ALIVE_WITHIN = ALIVE_FOR.dividedBy(2);

    /** Refuses an interval that ends before it starts. */
    public Moment {
        if (latest.isBefore(earliest)) {
            throw new IllegalArgumentException("latest " + latest + " is before earliest " + earliest);
        }
    }

    /** An exactly known time. */
    public static Moment exactly(Instant time) {
        return between(time, time);
    }

    /** A time known to lie in this interval, of a clock that never stepped. */
    public static Moment between(Instant earliest, Instant latest) {
        return new Moment(earliest, latest, Instant.MIN, Set.of(), Map.of());
    }

    /** Whether the hold has certainly ended. */
    public boolean isOver(Hold hold) {
        return judgesByClock(hold) ? earliest.isAfter(hold.expiresAt()) : outlived.contains(hold);
    }

    /**
     * Whether the clock, not observation, decides about this hold. What was written in the future stems from before the clock
     * was set back: by the clock it would live on for as long as that step was.
     */
    public boolean judgesByClock(Hold hold) {
        return isOfThisClock(hold.renewedAt());
    }

    private boolean isOfThisClock(Instant written) {
        return written.isAfter(trustedSince) && !written.isAfter(latest);
    }

    /** Whether something in the record was written later than it is now. */
    public static boolean isFromTheFuture(LockRecord record, Instant latest) {
        for (Hold hold : record.holds()) {
            if (hold.renewedAt().isAfter(latest)) {
                return true;
            }
        }
        for (Instant aliveUntil : record.alive().values()) {
            if (aliveUntil.minus(ALIVE_FOR).isAfter(latest)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the engine that said it lives until {@code aliveUntil} is certainly gone. */
    public boolean isGone(EngineId engine, Instant aliveUntil) {
        boolean byClock = isOfThisClock(aliveUntil.minus(ALIVE_FOR));
        return byClock ? earliest.isAfter(aliveUntil) : aliveUntil.equals(silent.get(engine));
    }
}
