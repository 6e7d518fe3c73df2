package dev.holdfast.kotlin

import dev.holdfast.AcquireOptions
import dev.holdfast.Attempt
import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import dev.holdfast.LockClient
import dev.holdfast.model.LockKey
import dev.holdfast.model.LostReason
import java.util.concurrent.CompletionException
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.future.await
import kotlinx.coroutines.isActive
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext

/** Runs [block] under the lock of this name in the namespace of the client; see the form with a [LockKey]. */
public suspend fun <T> LockClient.withLock(
    name: String,
    options: AcquireOptions.() -> Unit = {},
    block: suspend CoroutineScope.(Lease) -> T,
): T = withLock(key(name), options, block)

/**
 * Runs [block] under the lock, waiting for it as long as the options say (30 s by default), without a thread, and releases it afterwards
 * whatever happens.
 *
 * A coroutine that is cancelled while it waits leaves the queue; one that is cancelled in the block releases the lock. A lease that is lost
 * cancels the block; code in it that does not suspend looks at the lease itself ([Lease.isValid]), and passes on its token.
 *
 * @return the value of the block
 * @throws dev.holdfast.LockBusyException if the lock was not free in time; the block was not run
 * @throws LeaseLostException if the lease was lost while the block ran: another may have run at the same time. If the block itself throws,
 *     that is thrown, and the loss is among its suppressed ones
 * @throws dev.holdfast.spi.StoreException if the store failed
 */
public suspend fun <T> LockClient.withLock(
    key: LockKey,
    options: AcquireOptions.() -> Unit = {},
    block: suspend CoroutineScope.(Lease) -> T,
): T {
    val lease = take(key) {
        waitUpTo(AcquireOptions.DEFAULT_WAIT)
        options()
    }.orThrow()
    return under(lease, block).orThrow()
}

/** Runs [block] if the lock of this name in the namespace of the client is free; see the form with a [LockKey]. */
public suspend fun <T> LockClient.tryWithLock(
    name: String,
    options: AcquireOptions.() -> Unit = {},
    block: suspend CoroutineScope.(Lease) -> T,
): Attempt<T> = tryWithLock(key(name), options, block)

/**
 * Runs [block] under the lock if it is free, or becomes free while it waits as long as the options say (not at all by default); otherwise
 * like [withLock].
 *
 * @return [Attempt.Done] with the value of the block; [Attempt.Busy] if it was not run; [Attempt.Lost] if the lease was lost while it ran
 */
public suspend fun <T> LockClient.tryWithLock(
    key: LockKey,
    options: AcquireOptions.() -> Unit = {},
    block: suspend CoroutineScope.(Lease) -> T,
): Attempt<T> =
    when (val taken = take(key, options)) {
        is Attempt.Done -> under(taken.value(), block)
        is Attempt.Busy -> Attempt.Busy(taken.key(), taken.holders(), taken.waiting())
        is Attempt.Lost -> Attempt.Lost(taken.key(), taken.reason())
    }

/** Not by `await()`: a lease that is granted at the moment of the cancellation would be held by nobody. */
private suspend fun LockClient.take(key: LockKey, options: AcquireOptions.() -> Unit): Attempt<Lease> =
    suspendCancellableCoroutine { waiting ->
        val asked = acquireAsync(key) { it.options() }
        waiting.invokeOnCancellation { asked.cancel(true) }
        asked.whenComplete { attempt, failure ->
            if (failure == null) {
                waiting.resume(attempt) { _, late, _ -> late.ifDone { it.releaseAsync() } }
            } else {
                waiting.resumeWithException((failure as? CompletionException)?.cause ?: failure)
            }
        }
    }

private suspend fun <T> LockClient.under(lease: Lease, block: suspend CoroutineScope.(Lease) -> T): Attempt<T> {
    val outcome = runCatching {
        coroutineScope {
            lease.onLost { reason -> cancel("the lease on lock ${lease.key()} is lost: $reason") }
            block(lease)
        }
    }
    val lost = if (lease.isValid) null else lease.lostFor().orElse(LostReason.PAUSED)
    val released = withContext(NonCancellable) { runCatching { lease.releaseAsync().await() } }
    val failure = outcome.exceptionOrNull()
    if (failure != null && !(failure is CancellationException && lost != null && currentCoroutineContext().isActive)) {
        released.exceptionOrNull()?.let(failure::addSuppressed)
        if (lost != null) {
            failure.addSuppressed(LeaseLostException(lease.key(), lost))
        }
        throw failure
    }
    if (lost != null) {
        return Attempt.Lost(lease.key(), lost)
    }
    return if (released.getOrThrow()) Attempt.Done(outcome.getOrThrow()) else Attempt.Lost(lease.key(), whyLost(lease))
}

/** Why a lease is not held that nobody here knew to be lost: the store remembers. */
private suspend fun LockClient.whyLost(lease: Lease): LostReason =
    runCatching { (renew(lease.key(), lease.leaseId()).await() as? Attempt.Lost)?.reason() }.getOrNull() ?: LostReason.UNKNOWN
