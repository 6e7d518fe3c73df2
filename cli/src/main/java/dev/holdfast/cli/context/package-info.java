/**
 * {@code holdfast context}: the places this user works with, by name. What a context is, and when it counts, is decided in
 * {@link dev.holdfast.cli.connect.Connection}; here it is only shown and changed. Start with
 * {@link dev.holdfast.cli.context.ContextCommand}.
 */
@NullMarked
package dev.holdfast.cli.context;

import org.jspecify.annotations.NullMarked;
