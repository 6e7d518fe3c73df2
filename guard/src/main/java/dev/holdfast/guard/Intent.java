package dev.holdfast.guard;

import java.time.Instant;

/**
 * That a resource should be stopped as soon as nobody needs it. It belongs to the app that asked, and lasts as long as that app is
 * registered, uses the resource, and is wished {@link DesiredState#STOPPED}.
 *
 * @param requestedBy the app whose stop asked for it
 * @param since when
 */
public record Intent(String requestedBy, Instant since) {}
