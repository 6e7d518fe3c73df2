package dev.holdfast.jdbc;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.util.Optional;

/**
 * The effect of a lease came too late: it has ended, or a later holder has already written. Roll the transaction back; nothing
 * in it may be committed.
 */
public final class StaleLeaseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient LockKey key;
    private final transient Token token;
    private final transient Optional<Token> newer;

    private StaleLeaseException(LockKey key, Token token, Optional<Token> newer, String why) {
        super("The lease on lock '" + key.name() + (key.path().isWhole() ? "" : "' at '" + key.path()) + "' in '"
                + key.namespace() + "' with token " + token + " is stale: " + why
                + ". Roll back this transaction, then acquire anew");
        this.key = key;
        this.token = token;
        this.newer = newer;
    }

    /** A later holder has written. */
    static StaleLeaseException fenced(LockKey key, Token token, Token newer) {
        return new StaleLeaseException(key, token, Optional.of(newer), "a later holder wrote with token " + newer);
    }

    /** It has ended, and somebody else holds the lock. */
    static StaleLeaseException takenOver(LockKey key, Token token, Optional<LostReason> how, String by, Token newer) {
        String why = how(how) + ", and '" + by + "' holds the lock now with token " + newer;
        return new StaleLeaseException(key, token, Optional.of(newer), why);
    }

    /** It has ended. */
    static StaleLeaseException ended(LockKey key, Token token, Optional<LostReason> how) {
        return new StaleLeaseException(key, token, Optional.empty(), how(how));
    }

    private static String how(Optional<LostReason> how) {
        return switch (how.orElse(LostReason.UNKNOWN)) {
            case EXPIRED -> "it was not renewed before its end";
            case RELEASED -> "it was released";
            case FORCED -> "an operator ended it by force";
            default -> "it has ended";
        };
    }

    /** The lock. */
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
