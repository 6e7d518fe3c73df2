package dev.holdfast.server.observe.metrics;

import java.time.Duration;

/**
 * How metrics are labelled, and how often the locks in use are counted.
 *
 * @param store the store's name, such as {@code sqlite}
 * @param lockNameLabel whether acquire and hold times are kept per lock: costs memory here and at Prometheus for every lock
 *     name, up to a limit
 * @param legacyNames whether metrics are also shown under those earlier names that can be switched off
 * @param countRest at least so long between two counts, because each costs money; zero where it does not
 */
public record MetersConfig(
        String store, boolean lockNameLabel, boolean legacyNames, String version, Duration countRest) {}
