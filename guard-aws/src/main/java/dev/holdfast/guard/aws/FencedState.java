package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;

/**
 * A resource as read.
 *
 * @param state what its own word comes to
 * @param word what AWS calls it
 * @param tokens the fencing tokens in its tags
 */
record FencedState(ResourceState state, String word, TokenTags tokens) {}
