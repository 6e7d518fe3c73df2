/**
 * Values of deployments: what is locked ({@link dev.holdfast.state.deploy.DeployKey}), who deploys and from where
 * ({@link dev.holdfast.state.deploy.DeployMetadata}, found in the environment of CI systems and git), the lock while it is held
 * ({@link dev.holdfast.state.deploy.DeployLock}) and what others see of it ({@link dev.holdfast.state.deploy.LockInfo}). Taking and running
 * is in {@link dev.holdfast.state.DeployLocks} and {@link dev.holdfast.state.DeployRun}.
 */
@NullMarked
package dev.holdfast.state.deploy;

import org.jspecify.annotations.NullMarked;
