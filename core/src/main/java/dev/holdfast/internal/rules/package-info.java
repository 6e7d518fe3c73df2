/**
 * The rules of locking, written once, as pure functions: (record, command, moment) to (record, answer, events). The engine calls them, and
 * so do the simulation and the tests, a million steps a second. No I/O, no clock, no threads, and no store is known here.
 *
 * <pre>
 *   Command        what is asked; each names its rule and the family of its answers
 *     │
 *   LockRules      decides, with the steps of RecordEdit
 *     │              Conflicts         who is in whose way
 *     │              Weight            how large a record may become
 *     │              Moment            what time it is at most and at least
 *     │              DecidingEngine    who decides, and who can be told at once
 *   Decision       the next record, the events, and the answer: AcquireResult, RenewResult, ReleaseResult, ForceResult
 * </pre>
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
 */
@NullMarked
package dev.holdfast.internal.rules;

import org.jspecify.annotations.NullMarked;
