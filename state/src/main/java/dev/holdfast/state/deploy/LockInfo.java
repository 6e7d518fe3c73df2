package dev.holdfast.state.deploy;

import dev.holdfast.Holder;
import dev.holdfast.model.Token;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A deploy lock that is held, as others may see it: without the lease id, which is the right to release it.
 *
 * @param key what is locked
 * @param lockedBy by whom
 * @param lockedAt since when
 * @param expiresAt when it ends unless renewed; empty if never
 * @param lastHeartbeat its last renewal
 * @param stale whether there was no heartbeat for two minutes; it is still held
 * @param metadata what the holder says about itself, see {@link DeployMetadata}
 * @param token names this acquisition, for {@code DeployLocks.forceUnlock}
 */
public record LockInfo(
        DeployKey key,
        String lockedBy,
        Instant lockedAt,
        Optional<Instant> expiresAt,
        Instant lastHeartbeat,
        boolean stale,
        Map<String, String> metadata,
        Token token)
        implements LockLookup {
    public LockInfo {
        metadata = Map.copyOf(metadata);
    }

    public static LockInfo of(DeployKey key, Holder holder) {
        return new LockInfo(
                key,
                holder.owner(),
                holder.grantedAt(),
                holder.expiresAt(),
                holder.renewedAt(),
                holder.stale(),
                holder.metadata(),
                holder.token());
    }
}
