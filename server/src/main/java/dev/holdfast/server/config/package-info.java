/** Settings: declared once, read from flags, environment, file and defaults. */
@NullMarked
package dev.holdfast.server.config;

import org.jspecify.annotations.NullMarked;
