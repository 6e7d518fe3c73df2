package dev.holdfast.server.health;

import java.time.Duration;

/**
 * How it is tried whether something works that nobody uses now.
 *
 * @param rest between two attempts, and how old the last write may be that shows that writes work
 * @param bytes how much is written: more than a lock is taken with, since a full disk may still have room for a few bytes
 */
public record WriteTrials(Duration rest, int bytes) {
    /** Where requests cost nothing. */
    public static final WriteTrials USUAL = new WriteTrials(Duration.ofSeconds(10), 32 << 10);

    /** Where every request costs money, by its size: such stores do not run out of room. */
    public static final WriteTrials COSTLY = new WriteTrials(Duration.ofMinutes(1), 0);
}
