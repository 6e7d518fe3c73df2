/**
 * What goes over the wire, and how it is written there: each shape once, for the server that writes it and the clients that read it.
 * {@link dev.holdfast.wire.Rfc3339} has the times, {@code json} the values.
 */
@NullMarked
package dev.holdfast.wire;

import org.jspecify.annotations.NullMarked;
