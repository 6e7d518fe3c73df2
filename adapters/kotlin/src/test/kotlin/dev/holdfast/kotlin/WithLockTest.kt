package dev.holdfast.kotlin

import dev.holdfast.Attempt
import dev.holdfast.ClientConfig
import dev.holdfast.Lease
import dev.holdfast.LeaseLostException
import dev.holdfast.LockBusyException
import dev.holdfast.LockClient
import dev.holdfast.memory.MemoryStore
import dev.holdfast.model.LockKey
import dev.holdfast.model.LostReason
import dev.holdfast.model.Token
import dev.holdfast.spi.EventLog
import dev.holdfast.spi.RecordStore
import dev.holdfast.spi.StoreUnavailableException
import dev.holdfast.spi.Watchable
import dev.holdfast.spi.time.LocalTime
import dev.holdfast.test.FakeLocks
import dev.holdfast.testkit.Await
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.random.Random
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@DisplayName("locks for coroutines")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WithLockTest {
    private val store = MemoryStore.shared(LocalTime.SYSTEM)
    private val locks = LockClient.on(store, ClientConfig.DEFAULT.withOwner("here"))
    private val other = LockClient.on(Unclosed(store), ClientConfig.DEFAULT.withOwner("there"))
    private val key = LockKey.of("default", "report")

    /** Closed by the other client. */
    private class Unclosed(store: MemoryStore) : RecordStore by store, EventLog by store, Watchable by store {
        override fun close() = Unit
    }

    @AfterEach
    fun close() {
        other.close()
        locks.close()
    }

    private fun waiters() = other.inspect().get(key).waiters().size

    private fun isFree() = other.inspect().get(key).isFree

    private fun force(lease: Lease) {
        other.inspect().forceUnlock(key, lease.token(), "test").orThrow()
    }

    @Test
    @DisplayName("the block has the lock, gives its value, and the lock is free afterwards")
    fun works(): Unit = runBlocking {
        val token = locks.withLock("report", { reason("kotlin") }) { lease ->
            assertThat(lease.isValid).isTrue()
            assertThat(other.inspect().get(key).holders()[0].reason()).isEqualTo("kotlin")
            assertThat(other.tryWithLock(key) { "not run" }).isInstanceOf(Attempt.Busy::class.java)
            lease.token()
        }
        assertThat(isFree()).isTrue()
        val later = other.tryWithLock("report") { it.token() }
        assertThat(later.orThrow()).isGreaterThan(token)
        assertThat(locks.withLock<String?>(key) { null }).isNull()
    }

    @Test
    @DisplayName("the page about the library shows code that works")
    fun documented(): Unit = runBlocking {
        val report = locks.withLock("nightly-report", { waitUpTo(Duration.ofMinutes(5)) }) { lease ->
            makeReport(lease.token())
        }
        assertThat(report).startsWith("report ")
        val page = Files.readString(Path.of("../../docs/LIBRARY.md"))
        val block = Regex("(?s)```kotlin\n(.*?)```").find(page)!!.groupValues[1]
        val source = Files.readString(Path.of("src/test/kotlin/dev/holdfast/kotlin/WithLockTest.kt"))
        assertThat(squeezed(source)).contains(squeezed(block))
    }

    private fun makeReport(token: Token) = "report $token"

    private fun squeezed(text: String) = text.replace(Regex("\\s+"), " ").trim()

    @Test
    @DisplayName("coroutines take turns, and nothing gets lost")
    fun turns() {
        var counter = 0
        runBlocking(Dispatchers.Default) {
            for (client in listOf(locks, other, locks, other)) {
                launch {
                    repeat(50) {
                        client.withLock(key) {
                            val before = counter
                            yield()
                            counter = before + 1
                        }
                    }
                }
            }
        }
        assertThat(counter).isEqualTo(200)
    }

    @Test
    @DisplayName("a wait that was in vain tells who has the lock")
    fun busy() {
        other.acquire(key).use {
            val busy = assertThrows<LockBusyException> {
                runBlocking { locks.withLock(key, { waitUpTo(Duration.ofMillis(20)) }) { error("not run") } }
            }
            assertThat(busy.holders()[0].owner()).isEqualTo("there")
        }
    }

    @Test
    @DisplayName("a coroutine that is cancelled while it waits leaves the queue")
    fun cancelledWaiting(): Unit = runBlocking {
        other.acquire(key).use {
            val waiting = launch(Dispatchers.Default) { locks.withLock(key, { waitForever() }) { error("not run") } }
            Await.until("it waits") { waiters() == 1 }
            waiting.cancelAndJoin()
            Await.until("nobody waits") { waiters() == 0 }
        }
        assertThat(isFree()).isTrue()
    }

    @Test
    @DisplayName("a coroutine that is cancelled in the block releases the lock before it ends")
    fun cancelledWorking(): Unit = runBlocking {
        val begun = CompletableDeferred<Unit>()
        val working = launch(Dispatchers.Default) {
            locks.withLock(key) {
                begun.complete(Unit)
                awaitCancellation()
            }
        }
        begun.await()
        working.cancelAndJoin()
        assertThat(isFree()).isTrue()
    }

    @Test
    @DisplayName("grants that race with cancellations leave no lock behind")
    fun races() {
        val random = Random(7)
        runBlocking(Dispatchers.Default) {
            repeat(500) {
                val one = launch { locks.withLock(key) { yield() } }
                val end = System.nanoTime() + random.nextLong(300_000)
                while (System.nanoTime() < end) {
                    Thread.onSpinWait()
                }
                one.cancelAndJoin()
            }
        }
        Await.until("all is given back") { isFree() && waiters() == 0 }
    }

    @Test
    @DisplayName("a lease that is lost cancels the block, and the caller, which goes on, is told")
    fun lost(): Unit = runBlocking {
        val cancelled = AtomicBoolean()
        val failure = runCatching {
            locks.withLock(key) { lease ->
                launch {
                    try {
                        awaitCancellation()
                    } finally {
                        cancelled.set(true)
                    }
                }
                yield()
                force(lease)
                awaitCancellation()
            }
        }.exceptionOrNull()
        assertThat(failure).isInstanceOf(LeaseLostException::class.java)
        assertThat((failure as LeaseLostException).reason()).isEqualTo(LostReason.FORCED)
        assertThat(cancelled).isTrue()
        assertThat(isActive).isTrue()
        val attempt = locks.tryWithLock(key) { lease ->
            force(lease)
            awaitCancellation()
        }
        assertThat(attempt).isEqualTo(Attempt.Lost<Nothing>(key, LostReason.FORCED))
    }

    @Test
    @DisplayName("a block that does not notice is told, too, even if nobody has heard of the loss yet")
    fun lostUnnoticed() {
        val failure = assertThrows<LeaseLostException> {
            runBlocking { locks.withLock(key) { lease -> force(lease) } }
        }
        assertThat(failure.reason()).isEqualTo(LostReason.FORCED)
        val blocked = assertThrows<LeaseLostException> {
            runBlocking {
                locks.withLock(key) { lease ->
                    val heard = CountDownLatch(1)
                    lease.onLost { heard.countDown() }
                    force(lease)
                    assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue()
                }
            }
        }
        assertThat(blocked.reason()).isEqualTo(LostReason.FORCED)
    }

    @Test
    @DisplayName("a block that throws after the loss is told of both")
    fun lostAndThrowing() {
        val failure = assertThrows<IllegalStateException> {
            runBlocking {
                locks.withLock(key) { lease ->
                    val heard = CountDownLatch(1)
                    lease.onLost { heard.countDown() }
                    force(lease)
                    assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue()
                    error("the work is broken")
                }
            }
        }
        assertThat(failure.suppressed).hasAtLeastOneElementOfType(LeaseLostException::class.java)
    }

    @Test
    @DisplayName("what the block throws reaches the caller, and the lock is free")
    fun throwing() {
        val failure = assertThrows<IllegalStateException> {
            runBlocking { locks.withLock(key) { error("the work is broken") } }
        }
        assertThat(failure).hasMessageContaining("the work is broken")
        assertThat(isFree()).isTrue()
        assertThrows<CancellationException> {
            runBlocking { locks.withLock(key) { throw CancellationException("enough") } }
        }
        assertThat(isFree()).isTrue()
    }

    @Test
    @DisplayName("a store that fails is told as such, before and after the block")
    fun outage() {
        FakeLocks().use { fake ->
            fake.outage().use {
                assertThrows<StoreUnavailableException> {
                    runBlocking { fake.client().tryWithLock(key) { "not run" } }
                }
            }
            val outages = mutableListOf<FakeLocks.Outage>()
            assertThrows<StoreUnavailableException> {
                runBlocking { fake.client().withLock(key) { outages.add(fake.outage()) } }
            }
            outages.forEach { it.close() }
        }
    }
}
