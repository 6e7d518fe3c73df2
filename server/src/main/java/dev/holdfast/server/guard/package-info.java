/** The guard over HTTP: apps, what they share, and whether that may be stopped. */
@NullMarked
package dev.holdfast.server.guard;

import org.jspecify.annotations.NullMarked;
