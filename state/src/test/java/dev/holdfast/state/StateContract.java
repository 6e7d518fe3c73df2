package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LostReason;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.HistoryPage;
import dev.holdfast.state.versions.LoadedState;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateTooLargeException;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.test.machine.SettableClock;
import dev.holdfast.test.machine.TestMachine;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
        return LockService.of(engine.started()).client(ClientConfig.DEFAULT);
    }

    StateManager manager(LockClient with, DocumentStore on) {
        return StateManager.on(with, on, StateConfig.DEFAULT.withClock(clock()));
    }

    Clock clock() {
        return new StandingClock(time);
    }

    void pass(Duration duration) {
        machine.advance(duration);
    }

    /** Takes the lock and claims, as every holder does. */
    Lease take() {
        try {
            Lease lease =
                    locks.acquire(SHOP.lock(), o -> o.waitUpTo(Duration.ZERO).lease(Duration.ofHours(1)));
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

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    StateVersion saved(Lease lease, byte[] bytes) {
        SaveOutcome outcome = state.save(lease, bytes, ALICE);
        assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
        return ((SaveOutcome.Saved) outcome).version();
    }

    void refused(SaveOutcome outcome, StateRefusal.Reason reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        StateRefusal.class, it -> assertThat(it.reason()).isEqualTo(reason));
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
            refused(outcome, StateRefusal.Reason.NOT_HELD);
            assertThat(((StateRefusal) outcome).lost()).contains(LostReason.RELEASED);
            assertThat(current()).isEqualTo(doc(1, "a"));
        }

        @Test
        @DisplayName("is refused to a lease that took the lock without claiming, until it claims")
        void unclaimed() throws InterruptedException {
            Lease lease = locks.acquire(SHOP.lock(), o -> {});
            refused(state.save(lease, doc(1, "a"), ALICE), StateRefusal.Reason.NOT_CLAIMED);
            assertThat(state.claim(SHOP, lease.leaseId(), lease.token())).isInstanceOf(ClaimOutcome.Claimed.class);
            saved(lease, doc(1, "a"));
        }

        @Test
        @DisplayName("without a lock of one's own works when it is free, and never under another's")
        void unlocked() {
            assertThat(state.saveUnlocked(SHOP, doc(1, "a"), BOB)).isInstanceOf(SaveOutcome.Saved.class);
            Lease lease = take();
            SaveOutcome outcome = state.saveUnlocked(SHOP, doc(2, "b"), BOB);
            refused(outcome, StateRefusal.Reason.LOCKED);
            assertThat(((StateRefusal) outcome).holders()).hasSize(1);
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
            refused(state.save(SHOP, old.leaseId(), doc(2, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
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
            refused(state.save(SHOP, old.leaseId(), doc(2, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
            assertThat(current()).isEqualTo(doc(1, "next"));
        }

        @Test
        @DisplayName("cannot save on a first apply, when there is no document yet")
        void firstApply() {
            Lease old = take();
            force();
            take();
            refused(state.save(SHOP, old.leaseId(), doc(1, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
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
            refused(state.save(SHOP, old.leaseId(), doc(1, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
        }

        @Test
        @DisplayName("cannot claim any more")
        void lateClaim() {
            Lease old = take();
            force();
            Lease next = take();
            assertThat(state.claim(SHOP, old.leaseId(), old.token()))
                    .isInstanceOfSatisfying(
                            StateRefusal.class, it -> assertThat(it.reason()).isEqualTo(StateRefusal.Reason.FENCED));
            saved(next, doc(1, "next"));
        }
    }

    @Nested
    @DisplayName("a holder that is paused in the middle of its save")
    class PausedInside {
        private FaultyDocuments faulty;
        private StateManager old;

        @BeforeEach
        void paused() {
            faulty = new FaultyDocuments(documents);
            old = manager(locks, faulty);
        }

        @Test
        @DisplayName("writes nothing if the next has claimed meanwhile, though that one has not saved")
        void claimedMeanwhile() {
            Lease lease = take();
            saved(lease, doc(1, "before"));
            faulty.beforeWrite(() -> {
                force();
                take();
            });
            refused(old.save(lease, doc(2, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
            assertThat(current()).isEqualTo(doc(1, "before"));
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("writes nothing if the next has claimed meanwhile, on a first apply")
        void claimedMeanwhileFirst() {
            Lease lease = take();
            faulty.beforeWrite(() -> {
                force();
                take();
            });
            refused(old.save(lease, doc(1, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
            assertThat(state.load(SHOP)).isEmpty();
            assertThat(history()).isEmpty();
        }

        @Test
        @DisplayName("writes nothing if the next has saved and gone meanwhile")
        void savedMeanwhile() {
            Lease lease = take();
            faulty.beforeWrite(() -> {
                force();
                Lease next = take();
                saved(next, doc(1, "next"));
                next.release();
            });
            refused(old.save(lease, doc(1, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
            assertThat(current()).isEqualTo(doc(1, "next"));
        }

        @Test
        @DisplayName("writes nothing if the next has deleted the state meanwhile")
        void deletedMeanwhile() {
            Lease lease = take();
            saved(lease, doc(1, "before"));
            faulty.beforeWrite(() -> {
                force();
                Lease next = take();
                assertThat(state.delete(SHOP, next.leaseId(), BOB)).isEqualTo(new DeleteOutcome.Deleted(true));
                next.release();
            });
            refused(old.save(lease, doc(2, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
            assertThat(state.load(SHOP)).isEmpty();
        }

        @Test
        @DisplayName("cannot delete if the next has claimed meanwhile")
        void deleting() {
            Lease lease = take();
            saved(lease, doc(1, "before"));
            faulty.beforeWrite(() -> {
                force();
                take();
            });
            assertThat(old.delete(SHOP, lease.leaseId(), ALICE)).isInstanceOf(StateRefusal.class);
            assertThat(current()).isEqualTo(doc(1, "before"));
        }

        @Test
        @DisplayName("still saves if only the attributes were rewritten under the same claim")
        void remarked() {
            Lease lease = take();
            faulty.beforeWrite(() -> documents
                    .look(StateNames.current(SHOP))
                    .ifPresent(head -> documents.write(
                            dev.holdfast.documents.Change.mark(head.name(), head.tag(), head.attributes()))));
            assertThat(old.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
            assertThat(history()).hasSize(1);
        }
    }

    @Nested
    @DisplayName("when an answer is lost")
    class Doubt {
        private FaultyDocuments faulty;
        private StateManager doubtful;

        @BeforeEach
        void faulty() {
            faulty = new FaultyDocuments(documents);
            doubtful = manager(locks, faulty);
        }

        @Test
        @DisplayName("a save that was made is reported as saved, once")
        void lostAnswer() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
            assertThat(current()).isEqualTo(doc(1, "a"));
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("a save that was not made is made")
        void lostRequest() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
            assertThat(current()).isEqualTo(doc(1, "a"));
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("a save that was made and then superseded is still reported as saved")
        void superseded() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST, FaultyDocuments.Fault.NONE);
            // The retry's answer is known; what matters is the write that overtakes the settling look.
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
            lease.release();
            Lease next = take();
            saved(next, doc(2, "b"));
            assertThat(history()).extracting(StateVersion::serial).containsExactly(2L, 1L);
        }

        @Test
        @DisplayName("twice, the caller is told that it is not known, and a repeat is recognised")
        void twice() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST, FaultyDocuments.Fault.LOST_REQUEST);
            assertThatThrownBy(() -> doubtful.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.OutcomeUnknownException.class)
                    .hasMessageContaining("shop/production");
            assertThat(state.load(SHOP)).isEmpty();
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST, FaultyDocuments.Fault.LOST_ANSWER);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("and the documents cannot be read either, the caller is told so, and not that it was refused")
        void blind() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
            faulty.beforeWrite(() -> faulty.looksFail(true));
            assertThatThrownBy(() -> doubtful.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.OutcomeUnknownException.class);
            faulty.looksFail(false);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("and the documents can be looked at once and not again, that is still doubt")
        void blindLater() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
            faulty.beforeLook(() -> {}); // what there is to save on
            faulty.beforeLook(() -> {}); // whether the write can still arrive
            faulty.beforeLook(() -> faulty.looksFail(true)); // what became of it
            assertThatThrownBy(() -> doubtful.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.OutcomeUnknownException.class)
                    .hasMessageContaining("may or may not have been saved");
            faulty.looksFail(false);
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
        }

        @Test
        @DisplayName("and the next try finds the documents down, the first may still arrive: that is doubt, too")
        void arrivesLater() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.LATE, FaultyDocuments.Fault.DOWN);
            assertThatThrownBy(() -> doubtful.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.OutcomeUnknownException.class);
            faulty.arrive();
            assertThat(current()).isEqualTo(doc(1, "a"));
            assertThat(doubtful.save(lease, doc(1, "a"), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
        }

        @Test
        @DisplayName("of a deletion, and nothing can be seen, the caller is told to look before another")
        void deletion() {
            Lease lease = take();
            saved(lease, doc(1, "a"));
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
            faulty.beforeWrite(() -> faulty.looksFail(true));
            assertThatThrownBy(() -> doubtful.delete(SHOP, lease.leaseId(), ALICE))
                    .isInstanceOf(dev.holdfast.spi.OutcomeUnknownException.class)
                    .hasMessageContaining("may or may not have been deleted");
            faulty.looksFail(false);
            assertThat(state.load(SHOP)).isEmpty();
        }

        @Test
        @DisplayName("of a claim, it is settled by looking")
        void claim() throws InterruptedException {
            Lease lease = locks.acquire(SHOP.lock(), o -> {});
            faulty.next(FaultyDocuments.Fault.LOST_ANSWER);
            assertThat(doubtful.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
            lease.release();
            Lease next = locks.acquire(SHOP.lock(), o -> {});
            faulty.next(FaultyDocuments.Fault.LOST_REQUEST);
            assertThat(doubtful.claim(next)).isInstanceOf(ClaimOutcome.Claimed.class);
            saved(next, doc(1, "a"));
        }

        @Test
        @DisplayName("because documents are down, that is an exception and never a refusal")
        void down() {
            Lease lease = take();
            faulty.next(FaultyDocuments.Fault.DOWN);
            assertThatThrownBy(() -> doubtful.save(lease, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.StoreUnavailableException.class);
            faulty.next(FaultyDocuments.Fault.DOWN);
            lease.release();
            assertThatThrownBy(() -> doubtful.saveUnlocked(SHOP, doc(1, "a"), ALICE))
                    .isInstanceOf(dev.holdfast.spi.StoreUnavailableException.class);
            assertThat(locks.inspect().get(SHOP.lock()).isFree())
                    .as("released when the claim fails")
                    .isTrue();
        }
    }

    @Nested
    @DisplayName("history")
    class Histories {
        @Test
        @DisplayName("never collides, and stays in the order of the saves, though the clock stands still or goes back")
        void sameClock() {
            Lease lease = take();
            for (int i = 1; i <= 30; i++) {
                if (i == 15) {
                    time.stepWall(Duration.ofDays(-2));
                }
                saved(lease, doc(i, "v"));
            }
            assertThat(history()).hasSize(30);
            assertThat(history()).extracting(StateVersion::serial).first().isEqualTo(30L);
            assertThat(history()).isSortedAccordingTo((a, b) -> b.version().compareTo(a.version()));
            assertThat(history()).extracting(StateVersion::serial).isSortedAccordingTo((a, b) -> Long.compare(b, a));
        }

        @Test
        @DisplayName("comes in pages")
        void pages() {
            Lease lease = take();
            for (int i = 1; i <= 7; i++) {
                saved(lease, doc(i, "v"));
            }
            HistoryPage first = state.history(SHOP, 3);
            assertThat(first.versions()).extracting(StateVersion::serial).containsExactly(7L, 6L, 5L);
            HistoryPage second = state.history(SHOP, 3, first.next());
            assertThat(second.versions()).extracting(StateVersion::serial).containsExactly(4L, 3L, 2L);
            HistoryPage third = state.history(SHOP, 3, second.next());
            assertThat(third.versions()).extracting(StateVersion::serial).containsExactly(1L);
            assertThatThrownBy(() -> state.list(1, Optional.of("../x"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.history(SHOP, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.history(SHOP, 3, Optional.of("../x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        @DisplayName("keeps 90 days, and of what is older the current version and the last good one before it")
        void retention() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            StateVersion second = saved(lease, doc(2, "b"));
            StateVersion third = saved(lease, doc(3, "c"));
            fixture.damage(StateNames.history(SHOP, third.version()));
            lease.release();
            time.advance(Duration.ofDays(100));
            Lease later = take();
            StateVersion fourth = saved(later, doc(4, "d"));
            assertThat(history()).extracting(StateVersion::version).containsExactly(fourth.version(), second.version());
            assertThat(state.version(SHOP, first.version())).isEmpty();
            assertThat(state.version(SHOP, second.version())).isPresent();
        }

        @Test
        @DisplayName(
                "keeps so many versions, and of older ones the last good one before the current; backups do not count")
        void maxVersions() {
            state.close();
            state = StateManager.on(
                    locks, documents, StateConfig.DEFAULT.withClock(clock()).withMaxVersions(4));
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "1"));
            state.backup(SHOP);
            for (int serial = 2; serial <= 9; serial++) {
                saved(lease, doc(serial, "more"));
                assertThat(history()).hasSizeLessThanOrEqualTo(4);
            }
            assertThat(history()).extracting(StateVersion::serial).containsExactly(9L, 8L, 7L, 6L);
            assertThat(state.version(SHOP, first.version())).as("the backup").isPresent();
            for (int serial = 10; serial <= 13; serial++) {
                fixture.damage(StateNames.history(
                        SHOP, saved(lease, doc(serial, "worse")).version()));
            }
            assertThat(history())
                    .extracting(StateVersion::serial)
                    .as("the last good one")
                    .contains(13L, 9L);
        }

        @Test
        @DisplayName("replicas that save and prune the same stack keep the limit between them, not less")
        void maxVersionsTogether() {
            state.close();
            state = StateManager.on(locks, documents, StateConfig.DEFAULT.withClock(clock()));
            for (int serial = 1; serial <= 40; serial++) {
                Lease lease = take();
                saved(lease, doc(serial, "before"));
                lease.release();
            }
            StateConfig few = StateConfig.DEFAULT.withClock(clock()).withMaxVersions(20);
            try (StateManager one = StateManager.on(locks, documents, few);
                    StateManager other = StateManager.on(locks, documents, few)) {
                for (int serial = 41; serial <= 80; serial++) {
                    Lease lease = take();
                    StateManager next = serial % 2 == 0 ? one : other;
                    assertThat(next.save(lease, doc(serial, "after"), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
                    lease.release();
                    assertThat(history().size()).isGreaterThanOrEqualTo(20);
                }
            }
            assertThat(history()).hasSizeLessThanOrEqualTo(20 + 2 * 5);
        }

        @Test
        @DisplayName("does not lose backups to retention")
        void backups() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            assertThat(state.backup(SHOP)).contains(first);
            assertThat(state.backup(SHOP)).as("again").contains(first);
            saved(lease, doc(2, "b"));
            saved(lease, doc(3, "c"));
            lease.release();
            time.advance(Duration.ofDays(100));
            saved(take(), doc(4, "d"));
            assertThat(history()).extracting(StateVersion::serial).containsExactly(4L, 3L);
            assertThat(state.version(SHOP, first.version()).orElseThrow().content())
                    .isEqualTo(doc(1, "a"));
        }

        @Test
        @DisplayName("tells of saves, refusals and restores in the lock's own history")
        void events() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            lease.release();
            state.save(lease, doc(2, "b"), ALICE);
            state.restore(SHOP, first.version(), BOB);
            state.close();
            List<String> noted = locks
                    .inspect()
                    .history(dev.holdfast.spi.EventLog.EventQuery.newest(100)
                            .of(Stack.NAMESPACE, SHOP.lock().name()))
                    .stream()
                    .map(it -> it.event().type().label() + " " + it.event().owner())
                    .filter(it -> it.startsWith("state."))
                    .toList();
            assertThat(noted).containsExactly("state.restored bob", "state.refused alice", "state.saved alice");
        }
    }

    @Nested
    @DisplayName("restoring")
    class Restoring {
        @Test
        @DisplayName(
                "makes a new version with a serial above every earlier one, the same lineage, and else the same bytes")
        void restore() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(7, "good"));
            saved(lease, doc(99, "bad"));
            saved(lease, doc(12, "worse"));
            lease.release();
            RestoreOutcome outcome = state.restore(SHOP, first.version(), BOB);
            assertThat(outcome).isInstanceOfSatisfying(RestoreOutcome.Restored.class, it -> {
                assertThat(it.version().serial()).isEqualTo(100);
                assertThat(it.version().lineage()).contains("line-1");
                assertThat(it.from()).isEqualTo(first);
            });
            assertThat(current()).isEqualTo(doc(100, "good"));
            assertThat(history()).hasSize(4);
            assertThat(state.current(SHOP).orElseThrow().by()).isEqualTo("bob");
        }

        @Test
        @DisplayName("takes a time, and then the newest version at it or before")
        void byTime() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            pass(Duration.ofMinutes(10));
            StateVersion second = saved(lease, doc(2, "b"));
            lease.release();
            assertThat(state.restore(SHOP, first.savedAt().minusSeconds(1), BOB))
                    .isInstanceOf(RestoreOutcome.NoSuchVersion.class);
            state.restore(SHOP, second.savedAt().minusSeconds(1), BOB);
            assertThat(current()).isEqualTo(doc(3, "a"));
            state.restore(SHOP, second.savedAt(), BOB);
            assertThat(current()).isEqualTo(doc(4, "b"));
            assertThat(state.restore(SHOP, Instant.MAX, BOB)).isInstanceOf(RestoreOutcome.Restored.class);
            assertThat(state.restore(SHOP, Instant.MIN, BOB)).isInstanceOf(RestoreOutcome.NoSuchVersion.class);
        }

        @Test
        @DisplayName("goes back to the version shown with a time, however much of that time is shown")
        void restoreAsShown() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            pass(Duration.ofSeconds(90));
            StateVersion second = saved(lease, doc(2, "b"));
            lease.release();
            pass(Duration.ofHours(1));
            String saved = second.savedAt().toString(); // 2026-11-16T11:06:42.123456Z
            for (String shown :
                    List.of(saved, saved.substring(0, 23), saved.substring(0, 19) + "Z", saved.substring(0, 16))) {
                assertThat(from(shown)).as(shown).isEqualTo(second.version());
            }
            assertThat(from(first.savedAt().toString().substring(0, 16))).isEqualTo(first.version());
            assertThat(state.restore(SHOP, PointInTime.parse("2026-11-15"), BOB))
                    .isInstanceOf(RestoreOutcome.NoSuchVersion.class);
            String latest = state.current(SHOP).orElseThrow().version();
            assertThat(from("2026-11-16")).isEqualTo(latest);
        }

        private String from(String shown) {
            RestoreOutcome outcome = state.restore(SHOP, PointInTime.parse(shown), BOB);
            return ((RestoreOutcome.Restored) outcome).from().version();
        }

        @Test
        @DisplayName("is refused while somebody holds the lock, naming who")
        void locked() throws InterruptedException {
            StateVersion first = saved(take(), doc(1, "a"));
            RestoreOutcome outcome = state.restore(SHOP, first.version(), BOB);
            assertThat(outcome).isInstanceOfSatisfying(StateRefusal.class, it -> {
                assertThat(it.reason()).isEqualTo(StateRefusal.Reason.LOCKED);
                assertThat(it.holders()).hasSize(1);
                assertThat(it.message()).contains(ClientConfig.DEFAULT.owner());
            });
            force();
            locks.acquire(DeployKey.of(SHOP).at("api").lock(), o -> {});
            assertThat(state.restore(SHOP, first.version(), BOB))
                    .as("a part is held")
                    .isInstanceOf(StateRefusal.class);
        }

        @Test
        @DisplayName("of a version that is not there changes nothing")
        void unknown() {
            saved(take(), doc(1, "a"));
            force();
            assertThat(state.restore(SHOP, "20200101T000000.000000Z-aaaaaaaa", BOB))
                    .isInstanceOf(RestoreOutcome.NoSuchVersion.class);
            assertThat(state.restore(SHOP, "../../x", BOB)).isInstanceOf(RestoreOutcome.NoSuchVersion.class);
            assertThat(history()).hasSize(1);
        }

        @Test
        @DisplayName("brings back what was deleted, with a serial above what it had")
        void deleted() {
            Lease lease = take();
            StateVersion version = saved(lease, doc(5, "a"));
            assertThat(state.delete(SHOP, lease.leaseId(), ALICE)).isEqualTo(new DeleteOutcome.Deleted(true));
            assertThat(state.load(SHOP)).isEmpty();
            assertThat(state.current(SHOP)).isEmpty();
            lease.release();
            state.restore(SHOP, version.version(), BOB);
            assertThat(current()).isEqualTo(doc(6, "a"));
        }

        @Test
        @DisplayName("leaves documents without a serial byte for byte, and counts for them")
        void withoutSerial() {
            byte[] plain = "{\"a\": 1}".getBytes(StandardCharsets.UTF_8);
            Lease lease = take();
            StateVersion first = saved(lease, plain);
            StateVersion second = saved(lease, "[1, 2]".getBytes(StandardCharsets.UTF_8));
            lease.release();
            assertThat(first.serial()).isEqualTo(1);
            assertThat(second.serial()).isEqualTo(2);
            state.restore(SHOP, first.version(), BOB);
            assertThat(current()).isEqualTo(plain);
            assertThat(state.current(SHOP).orElseThrow().serial()).isEqualTo(3);
        }
    }

    @Nested
    @DisplayName("damaged bytes")
    class Damage {
        @Test
        @DisplayName("are never given out: the version and the command that heals are named instead")
        void current() {
            Lease lease = take();
            StateVersion first = saved(lease, doc(1, "a"));
            StateVersion second = saved(lease, doc(2, "b"));
            lease.release();
            fixture.damage(StateNames.current(SHOP));
            fixture.damage(StateNames.history(SHOP, second.version()));
            assertThatThrownBy(() -> state.load(SHOP)).isInstanceOfSatisfying(StateCorruptException.class, it -> {
                assertThat(it.version()).isEqualTo(second.version());
                assertThat(it.lastGood()).contains(first.version());
                assertThat(it.getMessage())
                        .contains(second.version())
                        .contains("holdfast state restore shop production --version " + first.version())
                        .doesNotContain("damaged\"");
            });
            assertThatThrownBy(() -> state.version(SHOP, second.version())).isInstanceOf(StateCorruptException.class);
            Verification found = state.verify(SHOP);
            assertThat(found.isGood()).isFalse();
            assertThat(found.checked()).isEqualTo(3);
            assertThat(found.damaged())
                    .extracting(Verification.Damage::version)
                    .containsExactly(second.version(), second.version());
            assertThat(found.lastGood()).contains(first.version());
            assertThat(state.restore(SHOP, first.version(), BOB)).isInstanceOf(RestoreOutcome.Restored.class);
            assertThat(StateContract.this.current()).isEqualTo(doc(3, "a"));
        }

        @Test
        @DisplayName("of the current document heal from its own entry in the history")
        void onlyCurrent() {
            Lease lease = take();
            StateVersion only = saved(lease, doc(1, "a"));
            assertThat(state.verify(SHOP).isGood()).isTrue();
            fixture.damage(StateNames.current(SHOP));
            assertThatThrownBy(() -> state.load(SHOP))
                    .isInstanceOfSatisfying(
                            StateCorruptException.class,
                            it -> assertThat(it.lastGood()).contains(only.version()));
        }
    }

    @Nested
    @DisplayName("deleting")
    class Deleting {
        @Test
        @DisplayName("needs a free lock or the holder's lease; the history stays")
        void delete() {
            assertThat(state.delete(SHOP, BOB)).isEqualTo(new DeleteOutcome.Deleted(false));
            Lease lease = take();
            saved(lease, doc(9, "a"));
            assertThat(state.delete(SHOP, BOB))
                    .isInstanceOfSatisfying(
                            StateRefusal.class, it -> assertThat(it.reason()).isEqualTo(StateRefusal.Reason.LOCKED));
            lease.release();
            assertThat(state.delete(SHOP, lease.leaseId(), ALICE)).isInstanceOf(StateRefusal.class);
            assertThat(state.delete(SHOP, BOB)).isEqualTo(new DeleteOutcome.Deleted(true));
            assertThat(state.load(SHOP)).isEmpty();
            assertThat(state.list(10, Optional.empty()).stacks()).isEmpty();
            assertThat(history()).hasSize(1);
            StateVersion next = saved(take(), bytes("{}"));
            assertThat(history()).extracting(StateVersion::version).first().isEqualTo(next.version());
            assertThat(next.serial()).as("counts on from what was deleted").isEqualTo(10);
        }
    }

    @Nested
    @DisplayName("holders of parts")
    class PartHolders {
        private Lease part(String path) {
            try {
                Lease lease = locks.acquire(DeployKey.of(SHOP).at(path).lock(), o -> o.waitUpTo(Duration.ZERO));
                assertThat(state.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
                return lease;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private SaveOutcome over(Lease lease, Optional<String> base, byte[] bytes) {
            return state.saveOver(SHOP, lease.leaseId(), base, bytes, ALICE);
        }

        @Test
        @DisplayName("save one after the other, and a change of a version that is not current any more is a conflict")
        void siblings() {
            Lease api = part("api");
            Lease web = part("web");
            SaveOutcome first = over(api, Optional.empty(), doc(1, "api"));
            assertThat(first).isInstanceOf(SaveOutcome.Saved.class);
            refused(over(web, Optional.empty(), doc(1, "web")), StateRefusal.Reason.CONFLICT);
            Optional<String> seen = state.current(SHOP).map(StateVersion::version);
            assertThat(over(web, seen, doc(2, "api and web"))).isInstanceOf(SaveOutcome.Saved.class);
            refused(over(api, seen, doc(2, "api again")), StateRefusal.Reason.CONFLICT);
            assertThat(current()).isEqualTo(doc(2, "api and web"));
            assertThat(history()).hasSize(2);
        }

        @Test
        @DisplayName("cannot save without saying what their change was made from")
        void base() {
            Lease api = part("api");
            assertThatThrownBy(() -> state.save(api, doc(1, "a"), ALICE)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        @DisplayName("cannot save once they are lost, though nothing was saved meanwhile")
        void zombie() {
            Lease api = part("api");
            force();
            Lease next = part("api");
            refused(over(api, Optional.empty(), doc(1, "zombie")), StateRefusal.Reason.NOT_HELD);
            assertThat(over(next, Optional.empty(), doc(1, "next"))).isInstanceOf(SaveOutcome.Saved.class);
        }

        @Test
        @DisplayName("write nothing if the next holder of the part has claimed in the middle of their save")
        void zombieInside() {
            FaultyDocuments faulty = new FaultyDocuments(documents);
            Lease api = part("api");
            faulty.beforeWrite(() -> {
                force();
                part("api");
            });
            refused(
                    manager(locks, faulty).saveOver(SHOP, api.leaseId(), Optional.empty(), doc(1, "zombie"), ALICE),
                    StateRefusal.Reason.NOT_HELD);
            assertThat(state.load(SHOP)).isEmpty();
        }

        @Test
        @DisplayName(
                "write nothing if that happened before they looked at the document: it is looked at first, and the lock after it")
        void zombieBefore() {
            FaultyDocuments faulty = new FaultyDocuments(documents);
            Lease api = part("api");
            faulty.beforeLook(() -> {
                force();
                part("api");
            });
            refused(
                    manager(locks, faulty).saveOver(SHOP, api.leaseId(), Optional.empty(), doc(1, "zombie"), ALICE),
                    StateRefusal.Reason.NOT_HELD);
            assertThat(state.load(SHOP)).isEmpty();
        }

        @Test
        @DisplayName("are fenced by a later holder of the whole, and that one by a later part")
        void whole() {
            Lease api = part("api");
            over(api, Optional.empty(), doc(1, "api"));
            force();
            Lease whole = take();
            refused(
                    over(api, state.current(SHOP).map(StateVersion::version), doc(2, "zombie")),
                    StateRefusal.Reason.NOT_HELD);
            saved(whole, doc(2, "whole"));
            force();
            part("web");
            refused(state.save(whole, doc(3, "zombie"), ALICE), StateRefusal.Reason.NOT_HELD);
        }

        @Test
        @DisplayName("that share a lock cannot save at all")
        void shared() throws InterruptedException {
            Lease lease = locks.acquire(SHOP.lock(), o -> o.shared());
            state.claim(lease);
            refused(state.save(lease, doc(1, "a"), ALICE), StateRefusal.Reason.SHARED);
        }
    }

    @Nested
    @DisplayName("listing")
    class Lists {
        @Test
        @DisplayName("shows every stack with its version and who holds it, in pages")
        void list() {
            for (String env : List.of("dev", "prod", "test")) {
                state.saveUnlocked(new Stack("a", env), doc(1, env), BOB);
            }
            documents.write(dev.holdfast.documents.Change.put(
                    "stacks/a/prod/pulumi/state.json",
                    dev.holdfast.documents.Condition.none(),
                    new byte[] {1},
                    java.util.Map.of()));
            take();
            List<StackPage.Item> all = new java.util.ArrayList<>();
            Optional<String> cursor = Optional.empty();
            do {
                StackPage page = state.list(1, cursor);
                all.addAll(page.stacks());
                cursor = page.next();
            } while (cursor.isPresent());
            assertThat(all)
                    .extracting(it -> it.stack().toString())
                    .containsExactly("a/dev", "a/prod", "a/test", "shop/production");
            assertThat(all).extracting(StackPage.Item::isLocked).containsExactly(false, false, false, true);
            assertThat(all.get(3).current()).isEmpty();
            assertThatThrownBy(() -> state.list(1, Optional.of("../x"))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    @DisplayName("a document that was there before us")
    class Found {
        @Test
        @DisplayName("is loaded as it is, and kept in the history before it is replaced")
        void found() {
            documents.write(dev.holdfast.documents.Change.put(
                    StateNames.current(SHOP),
                    dev.holdfast.documents.Condition.absent(),
                    doc(41, "found"),
                    java.util.Map.of()));
            assertThat(current()).isEqualTo(doc(41, "found"));
            StateVersion kept = state.backup(SHOP).orElseThrow();
            assertThat(state.version(SHOP, kept.version()).orElseThrow().content())
                    .isEqualTo(doc(41, "found"));
            assertThat(history()).isEmpty();
            Lease lease = take();
            assertThat(current()).isEqualTo(doc(41, "found"));
            saved(lease, doc(12, "ours"));
            assertThat(history()).extracting(StateVersion::serial).containsExactly(12L, 41L);
            lease.release();
            state.restore(SHOP, history().get(1).version(), BOB);
            assertThat(current()).as("above the highest").isEqualTo(doc(42, "found"));
        }
    }
}
