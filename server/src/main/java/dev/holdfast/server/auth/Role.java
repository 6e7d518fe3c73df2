package dev.holdfast.server.auth;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a principal may do in a namespace. */
public enum Role {
    /** Look: locks, waiters, history, events, which state there is and what changed in it; never what stands in it. */
    READ,
    /** Read what stands in deployment state, secrets included; implies {@link #READ}. */
    STATE_READ,
    /** Acquire, renew and release locks; implies {@link #READ}. */
    LOCK,
    /** Read, write and lock deployment state; implies {@link #STATE_READ}. */
    STATE,
    /** Register apps, stop and start what they use; implies {@link #READ}. */
    GUARD,
    /** Everything, force-unlock and clean-up included. */
    ADMIN;

    public boolean implies(Role wanted) {
        return this == wanted || this == ADMIN || wanted == READ || (this == STATE && wanted == STATE_READ);
    }

    /** The name in configuration and tokens, such as {@code state-read}. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Role> spelled(String spelling) {
        return Arrays.stream(values())
                .filter(role -> role.spelling().equals(spelling))
                .findFirst();
    }

    public static String spellings() {
        return Arrays.stream(values()).map(Role::spelling).collect(Collectors.joining(", "));
    }
}
