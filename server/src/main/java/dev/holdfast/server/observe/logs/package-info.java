/**
 * Log lines: {@code Logging} sets them up, {@code StartLogging} before anything is configured, {@code LogLevels} changes how many there are.
 * {@code RecentLines} keeps the newest in memory, {@code LogMask} hides what may not leave the server, {@code LineLimit} keeps lines about
 * the same from filling it.
 *
 * <p>The encoders are our own, not those of Logback: the names of the JSON fields and the form of a line are documented, and neither may
 * hold a character that forges a line or steers a terminal. {@code JulLines} brings the JDK's own logging to them, in fewer lines than a
 * dependency for it would add to what has to be kept up to date.
 */
@NullMarked
package dev.holdfast.server.observe.logs;

import org.jspecify.annotations.NullMarked;
