/**
 * The document {@code deployer-state-v1}: start at {@link dev.holdfast.state.deployer.DeployerState}. Every part of it is a view of its
 * JSON: what is not named here stays where it is, at every level.
 */
@NullMarked
package dev.holdfast.state.deployer;

import org.jspecify.annotations.NullMarked;
