/**
 * The guard: a shared resource is stopped only when nobody needs it.
 */
@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
