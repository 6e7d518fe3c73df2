/**
 * Values of deployments. Taking and running is in {@link dev.holdfast.state.DeployLocks} and {@link dev.holdfast.state.DeployRun}.
 *
 * <pre>
 *   DeployKey           what is locked
 *   DeployMetadata      who deploys and from where: CiEnvironment (CiSystem) and GitHead find it
 *   DeployLock          the lock while it is held; LockInfo: what others see of it
 *   DeployAttempt       what came of asking for it: the lock, or LockHeld
 *   LockLookup          who holds it: LockInfo, or LockNotFound
 *   UnlockOutcome       what became of a force-unlock
 *   DeployOutcome       what became of a run; DeployStoppedException ends its work, DeploymentNotes writes it into the document
 *   LockHeldException   for callers who would rather not look at values
 * </pre>
 */
@NullMarked
package dev.holdfast.state.deploy;

import org.jspecify.annotations.NullMarked;
