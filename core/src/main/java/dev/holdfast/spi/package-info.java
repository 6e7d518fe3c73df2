/**
 * What a store must do: read a record, write it if it has not changed, list records, tell its time. A store implements this and knows
 * nothing of locking; the engine calls it, and decides. docs/NEW_STORE.md is the guide for authors, {@code RecordStoreContract} in the
 * testkit the specification.
 *
 * <pre>
 *   must       RecordStore     read, write, scan, clock
 *                Write, Precondition ──► WriteResult       one compare-and-set and what became of it
 *                Versioned, ScanRequest, Page              a record as stored; listings
 *                StoreTraits                               what the engine should know to use it well
 *   may        Watchable, EventLog                         hints of changes; the history. Asked for with instanceof
 *   fails      StoreException and its four kinds           each says what became of the request; none means "busy"
 *   opens      StoreFactory, found by its URL; ConnectWait waits for a database that is starting
 *   stored     RecordCodec ──► RecordText                  the form all stores keep; HoldJson, PastJson are its parts, HoldLabel a reading
 *   shared     StoreUrls, PrivateFiles                     URLs without secrets; files for their owner alone
 * </pre>
 *
 * <p>{@code time} has the clocks of stores, {@code fence} the tokens of data kept beside locks.
 */
@NullMarked
package dev.holdfast.spi;

import org.jspecify.annotations.NullMarked;
