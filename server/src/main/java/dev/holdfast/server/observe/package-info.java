/** What others can see of a running server: metrics, traces, logs, the audit trail. */
@NullMarked
package dev.holdfast.server.observe;

import org.jspecify.annotations.NullMarked;
