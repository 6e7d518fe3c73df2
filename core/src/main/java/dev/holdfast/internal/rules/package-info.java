/**
 * The rules of locking, written once, as pure functions: (record, command, moment) to (record, result, events).
 *
 * <p>A hold's life, in which only {@link dev.holdfast.internal.rules.LockRules} moves it:
 *
 * <pre>
 *   acquire ──► queue ──► OFFERED ──claim──► HELD ──release──► (LINGERING) ──► ended
 *        │        │  ▲       │                │ └─ expiry, force ────────────► ended
 *        │        │  └─missed once            │
 *        │        └─ gives up, engine dead, missed twice ────────────────────► ended
 *        └─ free and nobody earlier ──────────┘
 * </pre>
 *
 * <p>No I/O, no clock, no threads: this package can be run a million steps a second by a simulation, and is.
 */
@NullMarked
package dev.holdfast.internal.rules;

import org.jspecify.annotations.NullMarked;
