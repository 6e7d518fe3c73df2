package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockService;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Times;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gets the lock: conflicts, the tree, sharing, and the identity of an acquisition. Rules 1, 3, 4, 10, 11. */
abstract class GrantCases extends LockCases {

    @Test
    @DisplayName("a free lock is granted; to another process it is busy, and it hears by whom")
    void exclusive() {
        Hold held = granted(node("alice").ask("a").now());
        assertThat(held.owner()).isEqualTo("alice");
        Attempt.Busy<LockService.Grant> busy = busy(node("bob").ask("b").now());
        assertThat(busy.holders()).extracting(Holder::owner).containsExactly("alice");
    }

    @Test
    @DisplayName("a released lock is free for others at once")
    void freeAfterRelease() {
        Node alice = nodeHolding("alice", "a");
        assertThat(alice.release("a")).isTrue();
        granted(node("bob").ask("b").now());
    }

    @Test
    @DisplayName("a refused acquisition leaves nothing behind")
    void refusalLeavesNothing() {
        Node alice = nodeHolding("alice", "a");
        busy(node("bob").ask("b").now());
        assertThat(alice.record().queue()).isEmpty();
        alice.release("a");
        assertThat(alice.record().isIdle()).isTrue();
    }

    @Test
    @DisplayName("locks of other names and namespaces do not matter")
    void otherLocksAreApart() {
        Node alice = nodeHolding("alice", "a");
        granted(alice.ask("b")
                .of(dev.holdfast.model.LockKey.of("other", "lock"))
                .now());
        granted(alice.ask("c")
                .of(dev.holdfast.model.LockKey.of("default", "lock2"))
                .now());
    }

    // ---- the tree

    @Test
    @DisplayName("a part of the tree excludes its ancestors and descendants, not its siblings")
    void hierarchy() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").at("service").now());
        busy(bob.ask("1").at("").now());
        busy(bob.ask("2").at("service").now());
        busy(bob.ask("3").at("service/component").now());
        granted(bob.ask("4").at("service2").now());
        granted(bob.ask("5").at("other/service").now());
        granted(bob.ask("6").at("serv").now());
    }

    @Test
    @DisplayName("the whole tree excludes every part of it")
    void wholeExcludesParts() {
        granted(node("alice").ask("a").now());
        busy(node("bob").ask("b").at("any/part").now());
    }

    @Test
    @DisplayName("several paths are granted together or not at all")
    void allPathsOrNone() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").at("x").now());
        busy(bob.ask("b").at("w", "x/1", "y").now());
        granted(alice.ask("c").at("w").now());
        alice.release("a");
        alice.release("c");
        Hold both = granted(bob.ask("d").at("y", "x", "w").now());
        assertThat(both.scope().paths()).extracting(Object::toString).containsExactly("w", "x", "y");
        busy(alice.ask("e").at("x/2").now());
        bob.release("d");
        granted(alice.ask("f").at("x/2").now());
    }

    // ---- sharing

    @Test
    @DisplayName("readers share; a writer waits for all of them, and they for it")
    void shared() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").in(Mode.SHARED).now());
        granted(bob.ask("b").in(Mode.SHARED).now());
        assertThat(busy(bob.ask("w").now()).holders()).hasSize(2);
        alice.release("a");
        busy(bob.ask("w2").now());
        bob.release("b");
        granted(bob.ask("w3").now());
        busy(alice.ask("c").in(Mode.SHARED).now());
    }

    @Test
    @DisplayName("readers of a part share with readers of the whole")
    void sharedAcrossTheTree() {
        Node alice = node("alice");
        granted(alice.ask("a").in(Mode.SHARED).at("x").now());
        granted(alice.ask("b").in(Mode.SHARED).now());
        granted(alice.ask("c").in(Mode.SHARED).at("x/y").now());
        busy(alice.ask("d").at("x/z").now());
    }

    @Test
    @DisplayName("at most as many permits as the limit")
    void permits() {
        Node alice = node("alice");
        Mode three = Mode.permit(3);
        granted(alice.ask("1").in(three).now());
        granted(node("bob").ask("2").in(three).now());
        granted(alice.ask("3").in(three).now());
        busy(alice.ask("4").in(three).now());
        alice.release("1");
        granted(alice.ask("5").in(three).now());
    }

    @Test
    @DisplayName("among different limits the smallest counts, whoever brings it")
    void smallestLimitCounts() {
        Node alice = node("alice");
        granted(alice.ask("1").in(Mode.permit(5)).now());
        granted(alice.ask("2").in(Mode.permit(5)).now());
        busy(alice.ask("3").in(Mode.permit(2)).now());
        granted(alice.ask("4").in(Mode.permit(3)).now());
        busy(alice.ask("5").in(Mode.permit(5)).now());
    }

    @Test
    @DisplayName("permits exclude readers, writers, and permits of another part")
    void permitsExcludeOthers() {
        Node alice = node("alice");
        granted(alice.ask("1").in(Mode.permit(5)).at("x").now());
        busy(alice.ask("2").in(Mode.SHARED).at("x").now());
        busy(alice.ask("3").at("x").now());
        busy(alice.ask("4").in(Mode.permit(5)).at("x/y").now());
        busy(alice.ask("5").in(Mode.permit(5)).now());
        granted(alice.ask("6").in(Mode.permit(5)).at("y").now());
    }

    // ---- tokens

    @Test
    @DisplayName("tokens grow through release, expiry, force and hand-over, and are not below the clock")
    void tokensGrow() {
        Node alice = node("alice");
        Node bob = node("bob");
        Hold first = granted(alice.ask("1").lease(LEASE).now());
        assertThat(first.token().value()).isGreaterThanOrEqualTo(Times.micros(first.grantedAt()));
        alice.release("1");
        Hold second = granted(bob.ask("2").lease(LEASE).now());
        assertThat(second.token()).isGreaterThan(first.token());
        advance(PAST_LEASE);
        Hold third = granted(alice.ask("3").now());
        assertThat(third.token()).isGreaterThan(second.token());
        bob.force(third.token());
        Hold fourth = granted(bob.ask("4").now());
        assertThat(fourth.token()).isGreaterThan(third.token());
        LockService.Asking fifth = bob.ask("5").queue();
        bob.release("4");
        assertThat(awaitGranted(fifth).token()).isGreaterThan(fourth.token());
    }

    @Test
    @DisplayName("the token of a new process is above that of the old one")
    void tokensGrowThroughReopen() {
        Node alice = node("alice");
        Hold first = granted(alice.ask("1").now());
        alice.release("1");
        alice.locks.close();
        assertThat(granted(node("alice").ask("2").now()).token()).isGreaterThan(first.token());
    }

    // ---- the same acquisition

    @Test
    @DisplayName("the same lease id again is the same hold with the same token, from any process")
    void sameLeaseIdIsIdempotent() {
        Node alice = node("alice");
        Hold first = granted(alice.ask("a").now());
        Hold again = granted(alice.ask("a").now());
        Hold elsewhere = granted(node("bob").ask("a").by("alice").now());
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(elsewhere.token()).isEqualTo(first.token());
        assertThat(alice.record().holds()).hasSize(1);
    }

    @Test
    @DisplayName("asking again never shortens the hold")
    void askingAgainDoesNotShorten() {
        Node alice = node("alice");
        Hold first = granted(alice.ask("a").lease(LONG).now());
        Hold again = granted(alice.ask("a").lease(LEASE).now());
        assertThat(again.expiresAt()).isAfterOrEqualTo(first.expiresAt());
    }

    @Test
    @DisplayName("the same lease id with another owner, mode or path is refused as reused, and changes nothing")
    void reusedLeaseId() {
        Node alice = node("alice");
        Hold held = granted(alice.ask("a").at("x").now());
        assertLost(alice.ask("a").at("x").by("eve").now(), LostReason.REUSED);
        assertLost(alice.ask("a").at("y").now(), LostReason.REUSED);
        assertLost(alice.ask("a").at("x").in(Mode.SHARED).now(), LostReason.REUSED);
        assertThat(alice.record().holds()).extracting(Hold::token).containsExactly(held.token());
    }

    @Test
    @DisplayName("a lease id that was released, forced or expired is never granted again, by any process")
    void endedLeaseIdIsNeverGranted() {
        Node alice = nodeHolding("alice", "released");
        Node bob = node("bob");
        alice.release("released");
        assertLost(alice.ask("released").now(), LostReason.RELEASED);
        assertLost(bob.ask("released").by("alice").now(), LostReason.RELEASED);
        bob.force(granted(alice.ask("forced").now()).token());
        assertLost(alice.ask("forced").now(), LostReason.FORCED);
        granted(alice.ask("expired").lease(LEASE).now());
        advance(PAST_LEASE);
        assertLost(alice.ask("expired").now(), LostReason.EXPIRED);
        assertThat(alice.record().holds()).isEmpty();
        assertLost(node("new").ask("expired").by("alice").now(), LostReason.EXPIRED);
    }

    @Test
    @DisplayName("an ended lease id is still refused after others held the lock meanwhile")
    void endedIdIsRememberedThroughOthers() {
        Node alice = nodeHolding("alice", "a");
        alice.release("a");
        for (int i = 0; i < 20; i++) {
            Node other = node("other");
            granted(other.ask("other-" + i).now());
            other.release("other-" + i);
        }
        assertLost(node("alice").ask("a").now(), LostReason.RELEASED);
    }

    @Test
    @DisplayName("the lock goes from process to process without ever being reported busy when it is free")
    void noAnswerFromAStaleCache() {
        Node a = node("a");
        Node b = node("b");
        Node c = node("c");
        for (int i = 0; i < 30; i++) {
            granted(a.ask("a" + i).now());
            assertThat(b.release("a" + i)).isTrue();
            granted(c.ask("c" + i).now());
            assertThat(a.release("c" + i)).isTrue();
            granted(b.ask("b" + i).now());
            busy(a.ask("x" + i).now());
            assertThat(c.release("b" + i)).isTrue();
        }
    }

    @Test
    @DisplayName("an expired hold is taken over without anybody cleaning up")
    void expiredIsTakenOver() {
        Node alice = node("alice");
        Node bob = node("bob");
        granted(alice.ask("a").lease(LEASE).now());
        busy(bob.ask("b").now());
        advance(PAST_LEASE);
        granted(bob.ask("c").now());
    }

    @Test
    @DisplayName("a hold is not taken over before its end")
    void notTakenOverEarly() {
        granted(node("alice").ask("a").lease(Duration.ofSeconds(30)).now());
        Node bob = node("bob");
        advance(PAST_LEASE);
        busy(bob.ask("b").now());
    }
}
