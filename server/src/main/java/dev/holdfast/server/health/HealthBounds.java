package dev.holdfast.server.health;

import java.time.Duration;

/**
 * From when on a server is not well.
 *
 * @param minFree bytes that must be free on every disk it needs; 0 for any
 * @param maxClockError how inexactly the time of the store may be known
 */
public record HealthBounds(long minFree, Duration maxClockError) {}
