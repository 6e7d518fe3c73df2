package dev.holdfast.jdbc.fence;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.util.Optional;

/**
 * Why the effect of a lease came too late.
 *
 * @param key the lock
 * @param token the token that is refused
 * @param newer the token of a later holder, if there is one
 * @param why for people
 */
public record StaleLease(LockKey key, Token token, Optional<Token> newer, String why) {
    /** A later holder has written. */
    public static StaleLease fenced(LockKey key, Token token, Token newer) {
        return new StaleLease(key, token, Optional.of(newer), "a later holder wrote with token " + newer);
    }

    /** It has ended, and somebody else holds the lock. */
    public static StaleLease takenOver(LockKey key, Token token, Optional<LostReason> how, String by, Token newer) {
        String why = how(how) + ", and '" + by + "' holds the lock now with token " + newer;
        return new StaleLease(key, token, Optional.of(newer), why);
    }

    public static StaleLease ended(LockKey key, Token token, Optional<LostReason> how) {
        return new StaleLease(key, token, Optional.empty(), how(how));
    }

    private static String how(Optional<LostReason> how) {
        return switch (how.orElse(LostReason.UNKNOWN)) {
            case EXPIRED -> "it was not renewed before its end";
            case RELEASED -> "it was released";
            case FORCED -> "an operator ended it by force";
            default -> "it has ended";
        };
    }
}
