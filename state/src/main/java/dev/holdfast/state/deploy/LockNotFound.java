package dev.holdfast.state.deploy;

/**
 * Nobody holds it, nor anything it is part of or that is part of it.
 *
 * @param key what was asked for
 */
public record LockNotFound(DeployKey key) implements LockLookup, UnlockOutcome {}
