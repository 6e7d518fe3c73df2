package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.engine.EngineConfig;
import dev.holdfast.engine.Judgement;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LostReason;
import dev.holdfast.rules.LockRules;
import dev.holdfast.testkit.SettableClock;
import dev.holdfast.testkit.TestMachine;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What state owes its users, on any documents. Locks are in memory, in a time that passes only when told to. */
abstract class StateContract {
    static final Stack SHOP = new Stack("shop", "production");
    static final Provenance ALICE = Provenance.of("alice", "apply");
    static final Provenance BOB = Provenance.of("bob", "apply");

    final SettableClock time = new SettableClock(Instant.parse("2026-11-16T11:05:12.123456Z"));
    private final TestMachine machine = new TestMachine(time, 7);
    private final MemoryStore lockStore = MemoryStore.shared(time);
    DocumentsFixture fixture;
    DocumentStore documents;
    LockClient locks;
    StateManager state;

    /** Fresh documents. */
    abstract DocumentsFixture documents();

    @BeforeEach
    void start() {
        fixture = documents();
        documents = fixture.open();
        locks = client();
        state = manager(locks, documents);
    }

    @AfterEach
    void stop() {
        state.close();
        locks.close();
        fixture.close();
    }

    LockClient client() {
        LockEngine engine =
                new LockEngine(lockStore, machine.peer(), EngineConfig.DEFAULT, new LockRules(), new Judgement(), 1);
        return LockClient.on(engine.started(), ClientConfig.DEFAULT);
    }

    StateManager manager(LockClient with, DocumentStore on) {
        return StateManager.on(with, on, StateConfig.DEFAULT.withClock(clock()));
    }

    Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return time.wall();
            }
        };
    }

    void pass(Duration duration) {
        machine.advance(duration);
    }

    /** Takes the lock and claims, as every holder does. */
    Lease take() {
        try {
            Lease lease = locks.acquire(SHOP.lock(), o -> o.wait(Duration.ZERO).lease(Duration.ofHours(1)));
            assertThat(state.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
            return lease;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void force() {
        Holder holder = locks.inspect().get(SHOP.lock()).holders().get(0);
        locks.inspect().forceUnlock(SHOP.lock(), holder.token(), "test");
    }

    static byte[] doc(long serial, String what) {
        return ("{\n  \"version\": 4,\n  \"serial\": " + serial
                        + ",\n  \"lineage\": \"line-1\", \"outputs\": {\"what\": \"" + what + "\"}\n}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    StateVersion saved(Lease lease, byte[] bytes) {
        SaveOutcome outcome = state.save(lease, bytes, ALICE);
        assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
        return ((SaveOutcome.Saved) outcome).version();
    }

    void refused(SaveOutcome outcome, Refused.Reason reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Refused.class, it -> assertThat(it.reason()).isEqualTo(reason));
    }

    byte[] current() {
        return state.load(SHOP).orElseThrow().content();
    }

    List<StateVersion> history() {
        return state.history(SHOP, 1_000).versions();
    }

    @Nested
    @DisplayName("saving")
    class Saving {
        @Test
        @DisplayName("what was saved is loaded byte for byte, with what is known of it")
        void roundTrip() {
            assertThat(state.load(SHOP)).isEmpty();
            Lease lease = take();
            assertThat(state.load(SHOP)).as("only a claim").isEmpty();
            StateVersion version = saved(lease, doc(3, "ü"));
            LoadedState loaded = state.load(SHOP).orElseThrow();
            assertThat(loaded.content()).isEqualTo(doc(3, "ü"));
            assertThat(loaded.version()).isEqualTo(version);
            assertThat(version.serial()).isEqualTo(3);
            assertThat(version.lineage()).contains("line-1");
            assertThat(version.token()).isEqualTo(lease.token());
            assertThat(version.by()).isEqualTo("alice");
            assertThat(history()).containsExactly(version);
            assertThat(state.version(SHOP, version.version()).orElseThrow().content())
                    .isEqualTo(doc(3, "ü"));
        }

        @Test
        @DisplayName("the same bytes from the same lease are the same version")
        void repeat() {
            Lease lease = take();
            StateVersion version = saved(lease, doc(1, "a"));
            assertThat(state.save(lease, doc(1, "a"), ALICE)).isEqualTo(new SaveOutcome.Repeated(version));
            StateVersion other = saved(lease, doc(2, "b"));
            StateVersion back = saved(lease, doc(1, "a"));
            assertThat(history()).containsExactly(back, other, version);
        }

        @Test
        @DisplayName("is refused to a lease that has ended, and told how it ended")
        void ended() {
            Lease lease = take();
            saved(lease, doc(1, "a"));
            lease.release();
            SaveOutcome outcome = state.save(lease, doc(2, "b"), ALICE);
            refused(outcome, Refused.Reason.NOT_HELD);
            assertThat(((Refused) outcome).lost()).contains(LostReason.RELEASED);
            assertThat(current()).isEqualTo(doc(1, "a"));
        }

        @Test
        @DisplayName("is refused to a lease that took the lock without claiming, until it claims")
        void unclaimed() throws InterruptedException {
            Lease lease = locks.acquire(SHOP.lock(), o -> {});
            refused(state.save(lease, doc(1, "a"), ALICE), Refused.Reason.NOT_CLAIMED);
            assertThat(state.claim(SHOP, lease.leaseId(), lease.token())).isInstanceOf(ClaimOutcome.Claimed.class);
            saved(lease, doc(1, "a"));
        }

        @Test
        @DisplayName("without a lock of one's own works when it is free, and never under another's")
        void unlocked() {
            assertThat(state.saveUnlocked(SHOP, doc(1, "a"), BOB)).isInstanceOf(SaveOutcome.Saved.class);
            Lease lease = take();
            SaveOutcome outcome = state.saveUnlocked(SHOP, doc(2, "b"), BOB);
            refused(outcome, Refused.Reason.LOCKED);
            assertThat(((Refused) outcome).holders()).hasSize(1);
            lease.release();
            assertThat(state.saveUnlocked(SHOP, doc(2, "b"), BOB)).isInstanceOf(SaveOutcome.Saved.class);
            assertThat(locks.inspect().get(SHOP.lock()).isFree()).isTrue();
        }

        @Test
        @DisplayName("what is not JSON, or too large, is refused before anything is looked at")
        void invalid() {
            Lease lease = take();
            for (String bad : List.of("", "{", "{}x", "{\"a\":}", "nope", "{} {}", "\u0000")) {
                assertThatThrownBy(() -> state.save(lease, bad.getBytes(StandardCharsets.UTF_8), ALICE))
                        .as(bad)
                        .isInstanceOf(StateInvalidException.class);
            }
            StateManager small = StateManager.on(locks, documents, StateConfig.DEFAULT.withMaxSize(10));
            assertThatThrownBy(() -> small.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOfSatisfying(
                            StateTooLargeException.class,
                            it -> assertThat(it.limit()).isEqualTo(10));
            assertThat(state.load(SHOP)).isEmpty();
            assertThat(history()).isEmpty();
        }
    }

    @Nested
    @DisplayName("a paused old holder")
    class Zombie {
        @Test
        @DisplayName("cannot save once the next holds, though that one has not written")
        void nextHasNotWritten() {
            Lease old = take();
            saved(old, doc(1, "old"));
            force();
            Lease next = take();
            refused(state.save(SHOP, old.leaseId(), doc(2, "zombie"), ALICE), Refused.Reason.NOT_HELD);
            assertThat(current()).isEqualTo(doc(1, "old"));
            saved(next, doc(2, "next"));
        }

        @Test
        @DisplayName("cannot save once the next has written")
        void nextHasWritten() {
            Lease old = take();
            force();
            Lease next = take();
            saved(next, doc(1, "next"));
            next.release();
            refused(state.save(SHOP, old.leaseId(), doc(2, "zombie"), ALICE), Refused.Reason.NOT_HELD);
            assertThat(current()).isEqualTo(doc(1, "next"));
        }

        @Test
        @DisplayName("cannot save on a first apply, when there is no document yet")
        void firstApply() {
            Lease old = take();
            force();
            take();
            refused(state.save(SHOP, old.leaseId(), doc(1, "zombie"), ALICE), Refused.Reason.NOT_HELD);
            assertThat(state.load(SHOP)).isEmpty();
            assertThat(history()).isEmpty();
        }

        @Test
        @DisplayName("cannot save after its lease ran out, though nobody has taken the lock")
        void expired() throws InterruptedException {
            Lease old = locks.acquire(
                    SHOP.lock(), o -> o.lease(Duration.ofSeconds(5)).withoutRenewal());
            state.claim(old);
            pass(Duration.ofSeconds(6));
            refused(state.save(SHOP, old.leaseId(), doc(1, "zombie"), ALICE), Refused.Reason.NOT_HELD);
        }

        @Test
        @DisplayName("cannot claim any more")
        void lateClaim() {
            Lease old = take();
            force();
            Lease next = take();
            assertThat(state.claim(SHOP, old.leaseId(), old.token()))
                    .isInstanceOfSatisfying(
                            Refused.class, it -> assertThat(it.reason()).isEqualTo(Refused.Reason.FENCED));
            saved(next, doc(1, "next"));
        }
    }
}
