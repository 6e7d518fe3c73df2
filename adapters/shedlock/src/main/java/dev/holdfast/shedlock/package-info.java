/**
 * ShedLock on top of Holdfast. {@link dev.holdfast.shedlock.HoldfastLockProvider} is the bean that an application gives to ShedLock; it only
 * translates: {@code lockAtMostFor} is a lease that is not renewed, {@code lockAtLeastFor} a minimum hold.
 * {@link dev.holdfast.shedlock.RollOverLockProvider} takes the locks of two providers while one replaces the other. Nothing is decided about
 * locks here, and neither stores nor Spring are known.
 */
@NullMarked
package dev.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
