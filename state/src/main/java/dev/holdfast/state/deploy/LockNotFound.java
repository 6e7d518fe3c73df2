package dev.holdfast.state.deploy;

/** Nobody holds what was asked for, nor anything it is part of or that is part of it. */
public record LockNotFound(DeployKey key) implements LockLookup, UnlockOutcome {}
