/**
 * What every store must do, written as tests, and the tools to check it. A store's own tests extend the contracts and bring a
 * {@code StoreFixture}; the groups of a contract are its {@code …Cases}.
 *
 * <pre>
 *   RecordStoreContract     the store: StoreCases with WriteCases, RoundTripCases, ScanCases, ClockAndCloseCases, EventCases
 *     ListingContract       its listings alone, for a second way to list
 *   EngineContract          locks on it: LockCases with …
 *     LockContract            GrantCases, QueueCases, LeaseCases, LookCases, BoundCases, ClientCases, FailureCases
 *                           … and PlaceCases, DoubtCases; RandomComparison compares with the rules, step by step
 *   ReplicasContract        two servers over one store
 *   RemoteFixture           a store on a real server far away, over a line that can be cut
 *   Await                   waits for a condition, with a limit
 * </pre>
 *
 * <p>Packages below: {@code fixture} what contracts run on; {@code client}, {@code concurrent}, {@code documents} contracts of these;
 * {@code simulation} engines in virtual time; {@code servers} real servers; {@code process} other JVMs; {@code fuzz} damaged inputs. Nothing
 * here decides about locks, and no module uses it outside its tests but the benchmarks.
 */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
