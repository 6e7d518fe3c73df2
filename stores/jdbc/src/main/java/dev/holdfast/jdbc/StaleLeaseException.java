package dev.holdfast.jdbc;

import dev.holdfast.failure.HoldfastException;
import dev.holdfast.jdbc.fence.StaleLease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import java.util.Optional;

/**
 * The effect of a lease came too late: it has ended, or a later holder has already written. Roll the transaction back; nothing
 * in it may be committed.
 */
public final class StaleLeaseException extends HoldfastException {
    private static final long serialVersionUID = 1;

    private final transient LockKey key;
    private final transient Token token;
    private final transient Optional<Token> newer;

    StaleLeaseException(StaleLease stale) {
        super(
                "The lease on lock '" + stale.key().name()
                        + (stale.key().path().isWhole()
                                ? ""
                                : "' at '" + stale.key().path()) + "' in '"
                        + stale.key().namespace() + "' with token " + stale.token() + " is stale: " + stale.why()
                        + ". Roll back this transaction, then acquire the lock again",
                null);
        this.key = stale.key();
        this.token = stale.token();
        this.newer = stale.newer();
    }

    public LockKey key() {
        return key;
    }

    /** The token that was refused. */
    public Token token() {
        return token;
    }

    /** The token of the later holder; empty if the lease has ended and nobody holds the lock. */
    public Optional<Token> newer() {
        return newer;
    }
}
