package dev.holdfast.guard;

import java.time.Instant;

/**
 * That a resource should be stopped as soon as nobody needs it.
 *
 * @param requestedBy the app whose stop asked for it first
 * @param since when
 */
public record Intent(String requestedBy, Instant since) {}
