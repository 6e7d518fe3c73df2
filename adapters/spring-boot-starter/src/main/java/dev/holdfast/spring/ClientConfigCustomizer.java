package dev.holdfast.spring;

import dev.holdfast.ClientConfig;

/** A bean that changes settings of the lock client that no property sets, such as its executor. */
@FunctionalInterface
public interface ClientConfigCustomizer {
    /** The settings to use instead of these. */
    ClientConfig customize(ClientConfig config);
}
