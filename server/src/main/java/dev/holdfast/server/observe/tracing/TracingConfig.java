package dev.holdfast.server.observe.tracing;

import java.net.URI;
import java.util.Optional;

/**
 * Where spans are sent.
 *
 * @param endpoint an OTLP/HTTP collector such as {@code http://collector:4318}; without a path, {@code /v1/traces} is added. Without
 *     an endpoint nothing is traced
 * @param sampleRatio how many of the traces that begin here are recorded, 0 to 1; a caller that sends its own decision is followed
 * @param serviceName how this server is called in the traces
 */
public record TracingConfig(Optional<URI> endpoint, double sampleRatio, String serviceName) {
    public TracingConfig {
        if (!(sampleRatio >= 0 && sampleRatio <= 1)) {
            throw new IllegalArgumentException("tracing sample ratio must be between 0 and 1, was " + sampleRatio);
        }
        endpoint.ifPresent(TracingConfig::check);
    }

    private static void check(URI endpoint) {
        boolean web = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        if (!web || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "tracing endpoint must be like http://collector:4318, was '" + endpoint.getScheme() + ":…'");
        }
    }
}
