package dev.holdfast;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Somebody who holds a lock, as others may see it: without the lease id, which is the right to release it.
 *
 * @param key what is held; the first path, when several were taken together
 * @param paths all paths
 * @param mode how it is shared
 * @param owner label of the holder
 * @param token its fencing token
 * @param grantedAt store time of the grant
 * @param renewedAt store time of the last renewal
 * @param expiresAt when it ends unless renewed; empty if never
 * @param stale whether it was not renewed for suspiciously long
 * @param metadata what the holder wants others to see
 * @param reason why it holds; may be empty
 */
public record Holder(
        LockKey key,
        List<LockPath> paths,
        Mode mode,
        String owner,
        Token token,
        Instant grantedAt,
        Instant renewedAt,
        Optional<Instant> expiresAt,
        boolean stale,
        Map<String, String> metadata,
        String reason) {

    static Holder of(Hold hold, LockRecord record) {
        return of(hold, record, hold.stale());
    }

    static Holder of(Hold hold, LockRecord record, boolean stale) {
        return new Holder(
                new LockKey(record.key(), hold.scope().paths().get(0)),
                hold.scope().paths(),
                hold.scope().mode(),
                hold.owner(),
                hold.token(),
                hold.grantedAt(),
                hold.renewedAt(),
                hold.expiresAt().equals(Times.NEVER) ? Optional.empty() : Optional.of(hold.expiresAt()),
                stale,
                hold.terms().metadata(),
                hold.terms().reason());
    }

    static List<Holder> of(List<Hold> holds, LockRecord record) {
        return holds.stream().map(hold -> of(hold, record)).toList();
    }
}
