/** Who calls, and what they may do. */
@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
