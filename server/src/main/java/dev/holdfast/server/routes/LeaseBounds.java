package dev.holdfast.server.routes;

import java.time.Duration;

/**
 * What callers may ask for.
 *
 * @param keepPlace how long a place in the queue is kept between two requests
 */
public record LeaseBounds(Duration maxLease, Duration longPoll, Duration keepPlace) {}
