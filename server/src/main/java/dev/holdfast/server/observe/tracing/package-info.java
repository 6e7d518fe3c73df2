/**
 * Traces of requests and holds. {@code Tracing} and {@code Span} do nothing unless a collector is configured; then {@code OtlpTracing} is
 * loaded, and with it OpenTelemetry. {@code OpenHolds} are the spans of holds that have not ended.
 */
@NullMarked
package dev.holdfast.server.observe.tracing;

import org.jspecify.annotations.NullMarked;
