package dev.holdfast.state.deploy;

/** What is known of a deploy lock: who holds it, or that nobody does. */
public sealed interface LockLookup permits LockInfo, LockNotFound {}
