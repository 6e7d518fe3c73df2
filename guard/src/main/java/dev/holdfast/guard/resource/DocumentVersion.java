package dev.holdfast.guard.resource;

import dev.holdfast.documents.Condition;

/**
 * Something as it was read, and the condition under which it has not changed since.
 *
 * @param value what was read
 * @param unchanged holds as long as nobody has written it
 */
public record DocumentVersion<T>(T value, Condition unchanged) {}
