/**
 * What others can see of a running server: {@code metrics}, {@code audit}, {@code logs}, {@code tracing}. The audit counts what it refuses
 * in the metrics; logs know the audit, whose lines they pass through as they are; nothing here knows HTTP. {@code MinuteLimit} keeps
 * a flood of the same from filling either.
 */
@NullMarked
package dev.holdfast.server.observe;

import org.jspecify.annotations.NullMarked;
