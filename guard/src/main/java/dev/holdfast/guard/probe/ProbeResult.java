package dev.holdfast.guard.probe;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * What a probe found, and when.
 *
 * @param status what was seen
 * @param httpCode the code of the answer; empty if there was none
 * @param at when
 * @param detail for people: what went wrong, or what was answered
 */
public record ProbeResult(ProbeStatus status, OptionalInt httpCode, Instant at, String detail) {}
