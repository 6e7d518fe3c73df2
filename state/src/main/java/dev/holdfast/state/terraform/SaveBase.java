package dev.holdfast.state.terraform;

import java.util.Optional;

/**
 * What a change was made from.
 *
 * @param version which; empty: there was no state
 */
public record SaveBase(Optional<String> version) {}
