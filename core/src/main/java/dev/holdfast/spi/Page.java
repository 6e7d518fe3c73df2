package dev.holdfast.spi;

import java.util.List;
import java.util.Optional;

/**
 * Part of a listing.
 *
 * @param records in key order; may be fewer than asked, or none, though more follow
 * @param next the cursor of the following page; empty at the end
 */
public record Page(List<Versioned> records, Optional<String> next) {}
