package dev.holdfast.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Something that happened to a lock, as decided by the rules and written together with the record.
 *
 * @param type what happened
 * @param key to which record
 * @param scope to which part of it
 * @param lease fingerprint of the acquisition: whoever knows the lease id may release the lock, so events do not
 * contain it
 * @param owner whose it was
 * @param token its fencing token; {@link Token#NONE} for waiters
 * @param at store time
 * @param lasted how long it waited (acquired, abandoned) or held (the other ends)
 * @param actor who caused it: the owner, or the operator of a force
 * @param reason the hold's reason, or the operator's
 * @param metadata the hold's metadata
 * @param request id of the request that led to it; empty when none is known
 */
public record LockEvent(
        EventType type,
        RecordKey key,
        Scope scope,
        long lease,
        String owner,
        Token token,
        Instant at,
        Duration lasted,
        String actor,
        String reason,
        Map<String, String> metadata,
        String request) {}
