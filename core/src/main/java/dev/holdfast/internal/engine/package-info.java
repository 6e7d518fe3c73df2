/**
 * One engine per process and store: it combines the commands for each lock, writes many locks at once, wakes waiters and
 * renews leases. It decides nothing about locks (the rules do) and nothing about storage (the store does).
 *
 * <pre>
 *   callers ──► LockEngine ──► KeyQueue (one per lock) ──► Round: decide ──► WriteBatcher ──► RecordStore
 *                  │               │                          ▲   │ refused, unclear: read, decide again
 *                  │               └─ Waiting: parked callers │   └─► answers, grants to parked callers
 *                  ├─ LeaseRenewals: by deadline ──────────────┘
 *                  └─ Sweeper: judges and purges what nobody asks about
 * </pre>
 *
 * <p>Start with {@link dev.holdfast.internal.engine.LockEngine}. Around it:
 *
 * <pre>
 *   a command    Commands brings it to its queue (KeyQueues, QueuedCommand); Acquisitions asks for a lock (Request, Acquisition)
 *   a round      Backoff: the pause before another try; Delivery tells everybody its Answer; FailureWords: what callers hear of a failure
 *   waiting      ParkedCaller: one of them; WaitPoll looks at the record; NewcomerPause leaves room for others
 *   besides      OwnRenewer renews through the queues; StoreQueries only looks; EventFeed tells what happens; WriteTrial: is it writable?
 *   shared       EngineConfig, and EngineParts, which all of these use
 * </pre>
 *
 * <p>{@code judgement} has the engine's own decisions, {@code leases} what this process holds, {@code machine} what it runs on.
 *
 * <p>No thread waits inside the engine: everything continues where an answer or a timer ends. The {@link
 * dev.holdfast.internal.engine.machine.Machine} gives threads, timers, time and randomness, so a simulation can own all four.
 */
@NullMarked
package dev.holdfast.internal.engine;

import org.jspecify.annotations.NullMarked;
