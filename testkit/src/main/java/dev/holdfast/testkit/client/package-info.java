/**
 * What users of a lock client may rely on, wherever it is connected to: {@link dev.holdfast.testkit.client.ClientContract}, and
 * {@link dev.holdfast.testkit.client.VirtualThreadContract} on virtual threads. {@link dev.holdfast.testkit.client.ConnectedContract} is for
 * every contract with clients of the same locks.
 */
@NullMarked
package dev.holdfast.testkit.client;

import org.jspecify.annotations.NullMarked;
