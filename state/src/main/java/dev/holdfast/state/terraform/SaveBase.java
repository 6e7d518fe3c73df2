package dev.holdfast.state.terraform;

import java.util.Optional;

/** The version a change was made from; empty: there was no state. */
public record SaveBase(Optional<String> version) {}
