/**
 * The document {@code deployer-state-v1}: start at {@link dev.holdfast.state.deployer.DeployerState}. Programs that deploy call it; locks
 * and stores are not known here. Every part of it is a view of its JSON: what is not named here stays where it is, at every level.
 *
 * <pre>
 *   DeployerState       the whole document
 *     ├─ Metadata         whose state it is and who changed it last
 *     ├─ LockSection      what it says about its lock, to be shown
 *     ├─ DeploymentEntry  one deployment of its history
 *     └─ Resource         one thing that is deployed, with its Lifecycle (when it came and changed), Rollout (its last
 *                         deployment), Health and Pulumi (where Pulumi keeps it)
 *   Fields              reads single members, and refuses those of another type
 * </pre>
 */
@NullMarked
package dev.holdfast.state.deployer;

import org.jspecify.annotations.NullMarked;
