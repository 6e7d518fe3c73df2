package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keeping a lock and giving it back. Rules 5, 6, 9, 12, and what a holder is told. */
abstract class LeaseCases extends LockCases {

    // ---- renew

    @Test
    @DisplayName("a renewal counts from now: renewing often does not add up")
    void renewIsNotAdditive() {
        Node alice = node("alice");
        granted(alice.ask("a").lease(Duration.ofSeconds(30)).now());
        for (int i = 0; i < 5; i++) {
            alice.renew("a");
        }
        Instant now = alice.client.inspect().get(KEY).at();
        Hold held = alice.record().holds().get(0);
        // A server tells its time in milliseconds, and the last renewal may be of the same one.
        assertThat(held.expiresAt().truncatedTo(ChronoUnit.MILLIS)).isBeforeOrEqualTo(now.plusSeconds(30));
        assertThat(held.expiresAt()).isAfter(now.plusSeconds(20));
    }

    @Test
    @DisplayName("a renewal keeps the token, and the lock for another lease")
    void renewKeepsTheLock() {
        Node alice = node("alice");
        Node bob = node("bob");
        Hold first = granted(alice.ask("a").lease(LEASE.multipliedBy(3)).now());
        advance(LEASE.multipliedBy(2));
        Holder renewed = alice.renew("a").orThrow();
        assertThat(renewed.token()).isEqualTo(first.token());
        assertThat(renewed.expiresAt().orElseThrow()).isAfter(first.expiresAt());
        advance(LEASE.multipliedBy(2));
        busy(bob.ask("b").now());
    }

    @Test
    @DisplayName("what expired is lost, never revived, even if nobody took it")
    void expiredIsNotRevived() {
        Node alice = node("alice");
        granted(alice.ask("a").lease(LEASE).now());
        advance(PAST_LEASE);
        assertLost(alice.renew("a"), LostReason.EXPIRED);
        assertLost(alice.renew("a"), LostReason.EXPIRED);
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("a renewal for less, by its id, takes nothing from the holder: two are never valid")
    void renewalNeverShortens() throws Exception {
        Node alice = node("alice");
        Node bob = node("bob");
        Lease lease =
                alice.client.acquire(KEY, o -> o.lease(LEASE.multipliedBy(8)).withoutRenewal());
        Holder told = Await.get(bob.locks.renew(KEY.record(), lease.leaseId(), Optional.of(Duration.ofMillis(200))))
                .orThrow();
        assertThat(told.expiresAt().orElseThrow())
                .isAfterOrEqualTo(lease.expiresAt().orElseThrow());
        advance(LEASE.multipliedBy(2));
        assertThat(lease.isValid()).isTrue();
        busy(bob.ask("b").now());
        lease.close();
    }

    @Test
    @DisplayName("a lease that was renewed for another length by its id goes on with what the store keeps")
    void keptWithTheStoredLength() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE.multipliedBy(2)));
        Await.get(node("bob").locks.renew(KEY.record(), lease.leaseId(), Optional.of(LEASE.multipliedBy(60))));
        advance(LEASE.multipliedBy(2));
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(LEASE.multipliedBy(30));
        lease.close();
    }

    @Test
    @DisplayName("a renewal by anyone else changes nothing")
    void foreignRenew() {
        Node alice = nodeHolding("alice", "a");
        LockRecord before = alice.record();
        assertLost(node("bob").renew("b"), LostReason.UNKNOWN);
        assertThat(alice.record()).isEqualTo(before);
    }

    @Test
    @DisplayName("a released lease cannot be renewed")
    void releasedIsNotRenewed() {
        Node alice = nodeHolding("alice", "a");
        alice.release("a");
        assertLost(alice.renew("a"), LostReason.RELEASED);
    }

    // ---- release

    @Test
    @DisplayName("a release by anyone else changes nothing")
    void foreignRelease() {
        Node alice = nodeHolding("alice", "a");
        LockRecord before = alice.record();
        assertThat(node("bob").release("b")).isFalse();
        assertThat(alice.record()).isEqualTo(before);
    }

    @Test
    @DisplayName("releasing twice is harmless, also to the next holder")
    void releaseTwice() {
        Node alice = nodeHolding("alice", "a");
        assertThat(alice.release("a")).isTrue();
        granted(node("bob").ask("b").now());
        LockRecord before = alice.record();
        assertThat(alice.release("a")).isFalse();
        assertThat(alice.record().holds()).isEqualTo(before.holds());
    }

    @Test
    @DisplayName("a late release does not free the next holder's lock")
    void lateReleaseIsRefused() {
        Node alice = node("alice");
        Hold first = granted(alice.ask("a").lease(LEASE).now());
        advance(PAST_LEASE);
        Hold second = granted(node("bob").ask("b").now());
        LockRecord before = alice.record();
        assertThat(alice.release("a")).isFalse();
        assertThat(alice.record().holds()).isEqualTo(before.holds());
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    @DisplayName("a lock released before its minimum hold stays busy until then")
    void minHold() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").minHold(LEASE).now());
        assertThat(alice.release("a")).isTrue();
        busy(bob.ask("b").now());
        assertThat(alice.release("a")).isFalse();
        assertLost(alice.renew("a"), LostReason.RELEASED);
        assertLost(alice.ask("a").minHold(LEASE).now(), LostReason.RELEASED);
        advance(PAST_LEASE);
        granted(bob.ask("c").now());
    }

    @Test
    @DisplayName("a lock released after its minimum hold is free at once")
    void minHoldOver() {
        Node alice = node("alice");
        granted(alice.ask("a").minHold(LEASE).now());
        advance(PAST_LEASE);
        alice.release("a");
        granted(node("bob").ask("b").now());
    }

    // ---- stale

    @Test
    @DisplayName("a hold not renewed for long is shown as stale, and not freed for that")
    void staleIsShownNotFreed() {
        Node alice = node("alice");
        Terms terms = new Terms(LONG, Duration.ofMillis(200), Duration.ZERO, Map.of(), "");
        granted(alice.ask("a").with(terms).now());
        Node bob = node("bob");
        assertThat(holder(bob).stale()).isFalse();
        advance(PAST_LEASE);
        assertThat(holder(bob).stale()).isTrue();
        bob.client.inspect().cleanup(false);
        busy(bob.ask("b").now());
        alice.renew("a");
        assertThat(holder(bob).stale()).isFalse();
    }

    private static Holder holder(Node node) {
        return node.client.inspect().get(KEY).holders().get(0);
    }

    // ---- kept leases

    @Test
    @DisplayName("an open lease is renewed for as long as it is open")
    void keptLeaseIsRenewed() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        advance(LEASE.multipliedBy(3));
        assertThat(lease.isValid()).isTrue();
        lease.ensureValid();
        assertThat(lease.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
        assertThat(lease.lostFor()).isEmpty();
        busy(node("bob").ask("b").now());
        assertThat(lease.release()).isTrue();
        assertThat(lease.release()).isFalse();
        assertThat(lease.isValid()).isFalse();
        assertThat(alice.locks.keptLeases()).isZero();
        granted(node("carol").ask("c").now());
    }

    @Test
    @DisplayName("a lease that is renewed elsewhere by its id stays held when its own handle has ended")
    void renewedElsewhere() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        assertRenewed(Await.get(alice.client.renew(KEY, lease.leaseId(), Duration.ofHours(1))));
        advance(PAST_LEASE);
        Await.until("the handle knows nothing of it", () -> !lease.isValid());
        advance(LEASE);
        busy(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("an extended lease can get another minimum hold, which counts from then and replaces the one before")
    void extendedMinHold() throws Exception {
        Lease lease = node("alice")
                .client
                .acquire(KEY, o -> o.lease(LONG).minHold(LONG).withoutRenewal());
        Node bob = node("bob");
        advance(PAST_LEASE);
        assertThat(lease.extend(LONG, LEASE)).isTrue();
        assertThat(lease.release()).isTrue();
        busy(bob.ask("b").now());
        advance(PAST_LEASE);
        granted(bob.ask("c").now());
    }

    @Test
    @DisplayName(
            "a lease that is extended with a minimum hold lasts as long as asked for; one that was ended by force is lost")
    void extendedWithMinHold() throws Exception {
        Node alice = node("alice");
        Node bob = node("bob");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        assertThat(lease.extend(LONG, Duration.ZERO)).isTrue();
        assertThat(lease.remaining()).isGreaterThan(LEASE);
        advance(PAST_LEASE);
        assertThat(lease.isValid()).isTrue();
        busy(bob.ask("b").now());
        assertThat(lease.extend(LEASE, Duration.ZERO)).isTrue();
        assertThat(lease.remaining()).as("never shorter").isGreaterThan(LEASE);
        bob.client.inspect().forceUnlock(KEY, lease.token(), "test").orThrow();
        assertThat(lease.extend(LONG, Duration.ZERO)).isFalse();
        assertThat(lease.lostFor()).contains(LostReason.FORCED);
        granted(bob.ask("c").now());
    }

    @Test
    @DisplayName("a lease without renewal ends after its length, here before anywhere else")
    void withoutRenewal() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        List<LostReason> lost = lossesOf(lease);
        assertThat(lease.isValid()).isTrue();
        advance(PAST_LEASE);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        Await.until("the holder was told", () -> !lost.isEmpty());
        assertThat(lost).containsExactly(LostReason.EXPIRED);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::ensureValid)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.EXPIRED));
        assertThat(lease.release()).isFalse();
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("the holder stops believing before anybody else can be granted the lock")
    void holderKnowsFirst() throws Exception {
        assumeTrue(fixture().skipsTime(), "needs exact time");
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE).withoutRenewal());
        Node bob = node("bob");
        boolean free = false;
        for (int i = 0; !free; i++) {
            assertThat(i).isLessThan(400);
            advance(Duration.ofMillis(5));
            free = bob.ask("b" + i).now() instanceof Attempt.Done;
            assertThat(free && lease.isValid())
                    .as("both hold after %d ms", 5 * i)
                    .isFalse();
        }
    }

    @Test
    @DisplayName("a lease ended by force is lost, exactly once, with the reason")
    void forcedIsTold() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = lossesOf(lease);
        node("bob").force(lease.token());
        advance(LEASE);
        Await.until("the holder was told", () -> !lost.isEmpty());
        advance(PAST_LEASE);
        assertThat(lost).containsExactly(LostReason.FORCED);
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lostFor()).contains(LostReason.FORCED);
        List<LostReason> late = new CopyOnWriteArrayList<>();
        lease.onLost(late::add);
        Await.until("who comes late is told too", () -> late.equals(List.of(LostReason.FORCED)));
    }

    @Test
    @DisplayName("after an ordinary release no loss is told")
    void releaseIsNoLoss() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = lossesOf(lease);
        lease.close();
        advance(PAST_LEASE);
        assertThat(lost).isEmpty();
        assertThat(lease.lostFor()).isEmpty();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::ensureValid)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.RELEASED));
    }

    @Test
    @DisplayName("a listener that throws keeps no other from being told")
    void throwingListener() throws Exception {
        Node alice = node("alice");
        Lease lease = alice.client.acquire(KEY, o -> o.lease(LEASE));
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        lease.onLost(reason -> {
            throw new IllegalStateException("listener fails");
        });
        lease.onLost(lost::add);
        node("bob").force(lease.token());
        advance(LEASE);
        Await.until("the second was told", () -> lost.equals(List.of(LostReason.FORCED)));
        granted(alice.ask("next").now());
    }

    @Test
    @DisplayName("a listener that blocks delays no other, no renewal and no request")
    void blockingListener() throws Exception {
        Node alice = node("alice", CONFIG, new ThreadMachine("test"));
        LockKey second = LockKey.of("default", "second");
        LockKey third = LockKey.of("default", "third");
        CountDownLatch blocked = new CountDownLatch(1);
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        Lease one = alice.client.acquire(KEY, o -> o.lease(LEASE));
        Lease two = alice.client.acquire(second, o -> o.lease(LEASE));
        Lease three = alice.client.acquire(third, o -> o.lease(LEASE));
        one.onLost(reason -> {
            try {
                blocked.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        two.onLost(lost::add);
        alice.force(one.token());
        Await.until("the first is lost", () -> one.lostFor().isPresent());
        alice.force(second, two.token());
        Await.until("the second was told", () -> lost.equals(List.of(LostReason.FORCED)));
        Instant before = three.expiresAt().orElseThrow();
        assertThat(three.isValid()).isTrue();
        assertThat(three.release()).isTrue();
        assertThat(before).isNotNull();
        blocked.countDown();
    }
}
