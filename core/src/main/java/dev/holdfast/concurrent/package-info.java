/**
 * Locks in forms that Java programs know: {@link dev.holdfast.concurrent.ThreadLocks} has them as
 * {@link java.util.concurrent.locks.Lock}, {@link java.util.concurrent.locks.ReadWriteLock} and as a semaphore, bound
 * to threads; {@link dev.holdfast.concurrent.LeaderElection} lets one of several processes lead, and tells it when it
 * no longer does.
 *
 * <p>Everything here stands on {@link dev.holdfast.LockClient} and decides nothing about locks, so it works on every store and through a
 * server.
 *
 * <pre>
 *   ThreadLocks ──► ThreadLock, ThreadReadWriteLock, ThreadSemaphore    what users call
 *                     ├─ ThreadHolds      what the calling thread holds, counted; who would wait for itself is refused
 *                     └─ LeaseSource      asks the client
 *
 *   LeaderElection ──► Candidacy, one per process that stands ──► Term, one after the other
 *                  └─► LeaderWatch, for those who only look
 *
 *   A candidacy:
 *                        granted               lost, resigned, closed, work failed
 *        CAMPAIGNING ─────────────► LEADING ─────────────────────────────────────► ENDING
 *          ▲   │  ▲                                                                  │ callbacks have returned,
 *          │   │  └──────────────────────────────────────────────────────────────────┤ the lock is given back
 *          │   │ store failed                                                        │
 *          │   ▼                                                                     ▼
 *        FAILING    (asks again after a pause)                                     CLOSED, from anywhere by close()
 * </pre>
 */
@NullMarked
package dev.holdfast.concurrent;

import org.jspecify.annotations.NullMarked;
