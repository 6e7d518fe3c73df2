package dev.holdfast;

import dev.holdfast.model.Done;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A lock as it is shown: who holds it and who waits, judged at one moment.
 *
 * @param key which
 * @param holders who holds, live holds only; free when empty
 * @param waiters who waits, first in line first
 * @param latestToken the last token given out
 * @param done the last completed once-only work under it
 * @param at store time of the look
 */
public record LockView(
        RecordKey key,
        List<Holder> holders,
        List<Waiting> waiters,
        Token latestToken,
        Optional<Done> done,
        Instant at) {

    /**
     * Somebody who waits.
     *
     * @param position from 1
     * @param owner label of the caller
     * @param since when it joined
     * @param mode how it wants to share
     * @param paths what it wants
     */
    public record Waiting(int position, String owner, Instant since, Mode mode, List<LockPath> paths) {}

    /** Nobody holds any part of it. */
    public boolean isFree() {
        return holders.isEmpty();
    }
}
