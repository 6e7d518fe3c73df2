package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.ResourceState;

/**
 * A resource as read.
 *
 * @param state what its own word comes to
 * @param word what AWS calls it
 * @param token the newest fencing token in its tags, 0 if there is none
 */
record Seen(ResourceState state, String word, long token) {}
