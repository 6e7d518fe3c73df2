/**
 * How versions are kept as documents. Public for the rest of this module only.
 *
 * <pre>
 *   a save     Saves ──► SaveRight     does the lease hold the lock
 *                   ├─► PendingSave    the write that was decided, of a DocumentToSave
 *                   └─► Commits        makes the conditional write, and settles lost answers
 *   besides    Claims: the token of a new holder    VersionReader: reads, checked       Restores, Deletions
 *              Retention: removes old versions      Verifier: checks all versions       StackListing: who holds what
 *              OwnLock: the lock for the time of one save
 *   form       StateNames: where each document is   Attributes: what is beside its bytes   UnversionedDocument: one from elsewhere
 *              Refusals: the words of refusals
 * </pre>
 */
@NullMarked
package dev.holdfast.state.store;

import org.jspecify.annotations.NullMarked;
