/**
 * A lock registry for Spring Integration, 6.5 and 7: {@link dev.holdfast.spring.integration.HoldfastLockRegistry}. It maps locks that belong to
 * a thread to leases, and decides nothing about locks.
 */
@NullMarked
package dev.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
