/**
 * State over the wire: {@link dev.holdfast.state.wire.StateJson} writes and reads each shape, for the server, its clients and the command
 * line. It stands above {@code dev.holdfast.state}, which does not know it.
 */
@NullMarked
package dev.holdfast.state.wire;

import org.jspecify.annotations.NullMarked;
