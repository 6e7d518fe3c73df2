package dev.holdfast.testkit.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.Candidacy;
import dev.holdfast.concurrent.LeaderElection;
import dev.holdfast.concurrent.LeaderObserver;
import dev.holdfast.concurrent.Term;
import dev.holdfast.concurrent.TermEnd;
import dev.holdfast.concurrent.ThreadLock;
import dev.holdfast.concurrent.ThreadLocks;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.test.FakeLocks;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leaders whose lease ends under them and stores that fail: in a time that passes only when told to, and on a store whose line is cut. */
@DisplayName("leaders in trouble")
@SuppressWarnings("LockNotBeforeTry") // what is left held is what is looked at
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderTroubleTest {
    private static final String NAME = "scheduler";

    private final FakeLocks locks = new FakeLocks();
    private final LeaderElection election = LeaderElection.of(locks.client(), NAME);
    private final HeardTerms heard = new HeardTerms();

    @AfterEach
    void close() {
        locks.close();
    }

    // ---- time by hand

    @Test
    @DisplayName("a leader that cannot reach the store is told at its own deadline, before another leads")
    void outage() {
        Candidacy candidacy = election.stand(heard);
        Term one = heard.term(1);
        try (FakeLocks.Outage outage = locks.outage()) {
            Duration trusted = one.remaining();
            locks.advance(trusted.minusMillis(1));
            assertThat(one.isValid()).isTrue();
            assertThat(heard.said()).containsExactly("elected");
            locks.advance(Duration.ofMillis(20)); // the last renewal counts, and leases are looked at every 16 ms
            assertThat(one.isValid()).isFalse();
            assertThat(heard.said()).containsExactly("elected", "ended LOST STORE_UNREACHABLE");
            assertThat(locks.isHeld(NAME)).isTrue(); // at the store it has not ended yet: nobody else can lead
            heard.awaitFailure(StoreUnavailableException.class);
            assertThat(candidacy.state()).isEqualTo(Candidacy.State.FAILING);
            assertThat(candidacy.failure()).get().isInstanceOf(StoreException.class);
            assertThat(candidacy.isLeader()).isFalse();
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(election::leader);
            locks.advance(Duration.ofMinutes(1));
        }
        Term two = heard.term(2);
        assertThat(two.token()).isGreaterThan(one.token());
        assertThat(candidacy.failure()).isEmpty();
        candidacy.close();
        locks.assertAllReleased();
    }

    @Test
    @DisplayName(
            "a process that stood still hears when it wakes up that it leads no more, and its token is the lower one")
    void zombie() {
        Candidacy candidacy = election.stand(heard);
        Term one = heard.term(1);
        HeardTerms heardThere = new HeardTerms();
        Candidacy there = LeaderElection.of(locks.client("there"), NAME).stand(heardThere);
        locks.awaitWaiting(NAME, 1);
        locks.pause(Duration.ofMinutes(5));
        Term two = heardThere.term(1);
        heard.await("ended LOST PAUSED");
        assertThat(one.isValid()).isFalse();
        assertThat(two.isValid()).isTrue();
        assertThat(two.token()).isGreaterThan(one.token());
        locks.awaitWaiting(NAME, 1); // it stands again
        there.close();
        locks.advance(Duration.ofSeconds(1));
        heard.term(2);
        candidacy.close();
        locks.assertAllReleased();
    }

    @Test
    @DisplayName("a term that is being wound up when its lease is lost tells that, too")
    void lostWhileEnding() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        HeardTerms slow = new HeardTerms() {
            @Override
            public void ended(Term term, TermEnd why) {
                super.ended(term, why);
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        Candidacy candidacy = election.stand(slow);
        Term one = slow.term(1);
        Thread resigning = new Thread(one::resign);
        resigning.start();
        slow.await("ended RESIGNED");
        locks.lose(NAME, LostReason.FORCED);
        slow.awaitFailure(LeaseLostException.class);
        go.countDown();
        resigning.join();
        slow.term(2);
        candidacy.close();
        assertThat(slow.failures()).hasSize(1);
    }

    @Test
    @DisplayName("observers hear that the store fails, never that nobody leads because of it")
    void observersInOutage() {
        List<String> seen = new CopyOnWriteArrayList<>();
        LeaderObserver observer = new LeaderObserver() {
            @Override
            public void leads(Holder leader) {
                seen.add("leads");
            }

            @Override
            public void nobodyLeads() {
                seen.add("nobody");
            }

            @Override
            public void failed(RuntimeException failure) {
                seen.add("failed");
            }
        };
        locks.busy(NAME);
        try (FakeLocks.Outage outage = locks.outage();
                LockClient.Subscription watching = election.observe(observer)) {
            Await.until("it has looked", () -> !seen.isEmpty());
            assertThat(watching.isListening()).isFalse();
            assertThat(seen).containsOnly("failed");
            outage.close();
            Await.until("it has looked again", () -> seen.contains("leads"));
            assertThat(seen).doesNotContain("nobody");
            assertThat(watching.isListening()).isTrue();
        }
    }

    @Test
    @DisplayName("a store that fails is neither a busy lock nor a free one to those who take it, and unlock tells it")
    void threadLocksInOutage() throws Exception {
        ThreadLock lock = ThreadLocks.of(locks.client()).lock(NAME);
        ThreadLock held = ThreadLocks.of(locks.client()).lock("held");
        held.lock();
        try (FakeLocks.Outage outage = locks.outage()) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(lock::lock);
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(lock::lockInterruptibly);
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(lock::tryLock);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            held.lock(); // again: it is certainly held, and nobody needs to be asked
            held.unlock();
            assertThatExceptionOfType(StoreException.class).isThrownBy(held::unlock);
            assertThat(held.isHeldByCurrentThread()).isFalse();
        }
    }

    @Test
    @DisplayName("a lock whose lease is over at its own deadline is lost to its thread, before another is granted it")
    void threadLockPaused() {
        ThreadLock lock =
                ThreadLocks.of(locks.client()).withLease(Duration.ofSeconds(10)).lock(NAME);
        lock.lock();
        locks.pause(Duration.ofMinutes(1));
        assertThat(lock.lease().isValid()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LostReason.PAUSED));
    }

    // ---- a store whose line is cut

    @Test
    @DisplayName(
            "on a store whose line is cut the leader ends, stands again when it is back, and waits behind who was first")
    void lineCut() {
        SharedMemory memory = new SharedMemory();
        FaultyStore line = FaultyStore.of(memory.open());
        ClientConfig config = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofMillis(200));
        try (LockClient cutOff = LockClient.on(line, config);
                LockClient well = LockClient.on(memory.open(), config)) {
            HeardTerms heardThere = new HeardTerms();
            try (Candidacy here = LeaderElection.of(cutOff, NAME)
                            .withLease(Duration.ofSeconds(3))
                            .stand(heard);
                    Candidacy there = standSecond(well, heardThere)) {
                Term one = heard.term(1);
                line.cut();
                Term two = heardThere.term(1);
                assertThat(one.isValid()).isFalse();
                assertThat(two.token()).isGreaterThan(one.token());
                heard.await("ended LOST STORE_UNREACHABLE");
                Await.until("it says that the store fails", () -> here.state() == Candidacy.State.FAILING);
                assertThat(here.failure()).get().isInstanceOf(StoreException.class);
                line.heal();
                Await.until("it stands again", () -> here.state() == Candidacy.State.CAMPAIGNING);
                assertThat(here.failure()).isEmpty();
                assertThat(there.isLeader()).isTrue();
                two.resign();
                heard.term(2);
            }
        }
    }

    private Candidacy standSecond(LockClient client, HeardTerms heardThere) {
        heard.term(1);
        return LeaderElection.of(client, NAME).withLease(Duration.ofSeconds(30)).stand(heardThere);
    }

    @Test
    @DisplayName("a candidacy that cannot reach the store is closed at once")
    void closedInOutage() {
        try (FakeLocks.Outage outage = locks.outage()) {
            Candidacy candidacy = election.stand(heard);
            heard.awaitFailure(StoreUnavailableException.class);
            candidacy.close();
            assertThat(candidacy.state()).isEqualTo(Candidacy.State.CLOSED);
            assertThat(heard.said()).isEmpty();
        }
    }
}
