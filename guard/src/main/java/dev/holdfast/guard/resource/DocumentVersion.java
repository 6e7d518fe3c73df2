package dev.holdfast.guard.resource;

import dev.holdfast.documents.Condition;

/** Something as it was read, and the condition that holds as long as nobody has written it since. */
public record DocumentVersion<T>(T value, Condition unchanged) {}
