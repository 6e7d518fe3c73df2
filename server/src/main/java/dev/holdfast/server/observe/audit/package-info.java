/**
 * Who did what. Start at {@code AuditTrail}, which is told; {@code AuditLog} writes lines to a file that rolls, {@code AuditJson} spells
 * them, {@code RefusalLimit} keeps strangers from filling it. {@code RollingFile} is by hand: it has to say that a line was not written.
 */
@NullMarked
package dev.holdfast.server.observe.audit;

import org.jspecify.annotations.NullMarked;
