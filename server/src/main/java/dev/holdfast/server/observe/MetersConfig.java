package dev.holdfast.server.observe;

/**
 * How metrics are labelled.
 *
 * @param store the store's name, such as {@code sqlite}
 * @param lockNameLabel whether acquire and hold times are kept per lock: costs memory here and at Prometheus for every lock
 *     name, up to a limit
 */
public record MetersConfig(String store, boolean lockNameLabel) {}
