package dev.holdfast.internal.engine.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.ByHand;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Renewals whose answers come on any thread, at any moment. */
class LeaseRenewalsTest {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final RecordKey KEY = new RecordKey("default", "lock");

    private final ByHand machine = new ByHand();
    private final Line line = new Line();
    private final LeaseRenewals renewals =
            new LeaseRenewals(machine, new Judgement(), line, RenewalLine.toStore(true, 1));

    @AfterEach
    void close() {
        renewals.close();
    }

    @Test
    @DisplayName("an answer that comes at any moment of sending leaves the lease listed for its next renewal")
    void answersAtAnyMoment() throws Exception {
        LeaseRenewals real = new LeaseRenewals(
                new ThreadMachine("test"), new Judgement(), new Sudden(), RenewalLine.toStore(true, 2));
        List<KeptLease> leases = new ArrayList<>();
        Duration brief = Duration.ofMillis(300);
        for (int i = 0; i < 64; i++) {
            leases.add(real.keep(KEY, hold(i, brief), Anchor.of(LocalTime.SYSTEM), true));
        }
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() - end < 0) {
            real.lookAt(KEY); // hints race with the timer
            Thread.onSpinWait();
        }
        for (KeptLease lease : leases) {
            assertThat(lease.lostFor()
                            .filter(reason -> reason != LostReason.STORE_UNREACHABLE && reason != LostReason.PAUSED))
                    .isEmpty();
        }
        assertThat(leases.stream().filter(KeptLease::isValid).count())
                .as("renewed ten times over, whoever was faster")
                .isGreaterThan(60);
        // Those that are due are on no list for the moment it takes to look at them.
        long patience = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        boolean listed = real.size() == notLost(leases);
        while (!listed && System.nanoTime() - patience < 0) {
            listed = real.size() == notLost(leases);
        }
        assertThat(listed).as("each that is not lost is listed").isTrue();
        real.close();
    }

    private static int notLost(List<KeptLease> leases) {
        return (int) leases.stream().filter(lease -> lease.lostFor().isEmpty()).count();
    }

    @Test
    @DisplayName("whoever drains waits for a release that the store has not answered yet")
    void drainsReleases() throws Exception {
        LeaseRenewals real =
                new LeaseRenewals(new ThreadMachine("test"), new Judgement(), line, RenewalLine.toStore(true, 1));
        KeptLease lease = real.keep(KEY, hold(1, LEASE), Anchor.of(LocalTime.SYSTEM), true);
        CompletableFuture<String> store = new CompletableFuture<>();
        CompletableFuture<String> release = real.release(lease, () -> store);
        CompletableFuture<Void> drained = CompletableFuture.runAsync(
                () -> real.drain(Duration.ofMinutes(1), left -> CompletableFuture.completedFuture("given back")));
        assertThat(drained).failsWithin(Duration.ofMillis(200)); // ends at once if it does not wait
        store.complete("released");
        drained.get(60, TimeUnit.SECONDS);
        assertThat(release).isCompletedWithValue("released");
        real.close();
    }

    @Test
    @DisplayName("an answer that is there before sending returns counts, and the next renewal comes a third later")
    void answersAtOnce() {
        line.answer = () -> CompletableFuture.completedFuture(line.renewed(machine.now()));
        KeptLease lease = keep();
        for (int i = 1; i <= 20; i++) {
            machine.advance(Duration.ofSeconds(21));
            assertThat(line.sent).isEqualTo(i);
        }
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    @DisplayName("a renewal that finds another hold by the same id is a loss: the lock was had by others in between")
    void anotherHold() {
        Hold later = hold(2, LEASE);
        line.answer = () ->
                CompletableFuture.completedFuture(new Renewer.Renewal(new RenewResult.Renewed(later), machine.now()));
        KeptLease lease = keep();
        machine.advance(Duration.ofSeconds(21));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lostFor()).contains(LostReason.UNKNOWN);
        assertThat(line.givenBack).isZero();
    }

    @Test
    @DisplayName(
            "a renewal that comes after its holder was told \"not held\" does not bring it back: lost, told, given back")
    void tooLate() {
        CompletableFuture<Renewer.Renewal> slow = new CompletableFuture<>();
        line.answer = () -> slow;
        KeptLease lease = keep();
        List<LostReason> lost = new ArrayList<>();
        lease.onLost(lost::add);
        machine.advance(Duration.ofSeconds(21));
        machine.jump(Duration.ofSeconds(60)); // no timer runs: the process was paused
        assertThat(lease.isValid()).isFalse();
        slow.complete(line.renewed(machine.now()));
        assertThat(lease.isValid()).isFalse();
        assertThat(lost).containsExactly(LostReason.PAUSED);
        assertThat(line.givenBack).isEqualTo(1);
    }

    @Test
    @DisplayName("what others write about renewals does not make it renew all the time")
    void intervalOfItsOwn() {
        Hold never = new Hold(
                LeaseId.ofBits(1, 1),
                Scope.WHOLE,
                "owner",
                new Token(2),
                machine.now().wall(),
                machine.now().wall(),
                machine.now().wall().plus(LEASE),
                new Terms(LEASE, Duration.ZERO, Duration.ZERO, Map.of(), ""),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
        line.answer = () ->
                CompletableFuture.completedFuture(new Renewer.Renewal(new RenewResult.Renewed(never), machine.now()));
        keep();
        machine.advance(Duration.ofMinutes(5));
        assertThat(line.sent).isBetween(10, 20);
    }

    @Test
    @DisplayName("what was once not valid stays so, also if the clock is set back again")
    void latched() {
        KeptLease lease = keep();
        machine.stepWall(Duration.ofHours(1));
        assertThat(lease.isValid()).isFalse();
        machine.stepWall(Duration.ofHours(-1));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    @DisplayName("a hint right after a renewal, or during one, is looked into a moment later")
    void hintsAreDeferred() {
        Deque<CompletableFuture<Renewer.Renewal>> answers = new ArrayDeque<>();
        line.answer = () -> {
            CompletableFuture<Renewer.Renewal> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        };
        keep();
        machine.advance(Duration.ofMillis(10));
        renewals.lookAt(KEY);
        assertThat(line.sent).as("it was granted only just now").isZero();
        machine.advance(Duration.ofMillis(100));
        assertThat(line.sent).isEqualTo(1);
        renewals.lookAt(KEY); // the renewal on its way may have been decided before what this is about
        answers.remove().complete(line.renewed(machine.now()));
        machine.advance(Duration.ofMillis(100));
        assertThat(line.sent).isEqualTo(2);
        answers.remove().complete(line.renewed(machine.now()));
        machine.advance(Duration.ofSeconds(10));
        assertThat(line.sent).as("no more hints, no more renewals").isEqualTo(2);
    }

    @Test
    @DisplayName("of many that are due together a bounded number is under way, and those go next that would end first")
    void manyAtOnce() {
        Crowd crowd = new Crowd();
        LeaseRenewals busy = new LeaseRenewals(machine, new Judgement(), crowd, RenewalLine.toStore(true, 1));
        List<KeptLease> leases = new ArrayList<>();
        int all = 90_000;
        for (int i = 0; i < all; i++) {
            RecordKey key = new RecordKey("default", "lock-" + i);
            leases.add(busy.keep(key, hold(i, LEASE), Anchor.of(machine.time()), true));
        }
        machine.advance(Duration.ofSeconds(10));
        KeptLease brief = busy.keep(KEY, hold(all, Duration.ofSeconds(31)), Anchor.of(machine.time()), true);
        machine.advance(Duration.ofSeconds(11));
        int most = crowd.sent.size();
        assertThat(most).isBetween(50_000, 80_000);
        crowd.answer();
        assertThat(crowd.sent).hasSize(most + 1).last().isSameAs(brief);
        crowd.atOnce = true; // the others are answered before their sending returns
        crowd.answer();
        assertThat(crowd.sent).hasSize(all + 1).doesNotHaveDuplicates();
        while (!crowd.answers.isEmpty()) {
            crowd.answer();
        }
        leases.add(brief);
        machine.advance(Duration.ofSeconds(1));
        assertThat(leases).allMatch(KeptLease::isValid);
        assertThat(busy.size()).isEqualTo(all + 1);
        busy.close();
    }

    @Test
    @DisplayName("renewals that are never answered hold up others only until their leases end")
    void neverAnswered() {
        Crowd crowd = new Crowd();
        LeaseRenewals busy = new LeaseRenewals(machine, new Judgement(), crowd, RenewalLine.toStore(true, 1));
        for (int i = 0; i < 90_000; i++) {
            RecordKey key = new RecordKey("default", "lock-" + i);
            busy.keep(key, hold(i, LEASE), Anchor.of(machine.time()), true);
        }
        machine.advance(Duration.ofSeconds(50));
        int stuck = crowd.sent.size();
        KeptLease later = busy.keep(KEY, hold(90_000, LEASE), Anchor.of(machine.time()), true);
        machine.advance(Duration.ofSeconds(15));
        assertThat(busy.size()).as("the others are lost").isEqualTo(1);
        assertThat(crowd.sent).hasSize(stuck);
        machine.advance(Duration.ofSeconds(10));
        assertThat(crowd.sent).hasSize(stuck + 1).last().isSameAs(later);
        busy.close();
    }

    @Test
    @DisplayName("a lease that is released in the moment in which its renewal gets a place does not keep the place")
    void releasedWhileSent() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Judgement asked = new Judgement() {
            @Override
            public Duration trust(Duration lease) {
                meanwhile.getAndSet(() -> {}).run();
                return super.trust(lease);
            }
        };
        LeaseRenewals real = new LeaseRenewals(machine, asked, line, RenewalLine.toStore(true, 1));
        KeptLease lease = real.keep(KEY, hold(1, LEASE), machine.now(), true);
        KeptLease other = real.keep(KEY, hold(2, LEASE), machine.now(), true);
        List<KeptLease> sent = new ArrayList<>();
        RenewalTurns turns = new RenewalTurns(1, sent::add);
        meanwhile.set(() -> {
            lease.releasing(); // after it was found held: its renewal goes out, and is never answered
            turns.end(lease);
        });
        turns.add(lease, 1);
        assertThat(sent).containsExactly(lease);
        assertThat(lease.hasEnded()).isTrue();
        turns.add(other, 2);
        assertThat(sent).as("there is one place, and it is free again").containsExactly(lease, other);
        real.close();
    }

    /** Answers when it is told to, in the order in which it was asked. */
    private final class Crowd implements Renewer {
        private final List<KeptLease> sent = new ArrayList<>();
        private final Deque<CompletableFuture<Renewal>> answers = new ArrayDeque<>();
        private final Deque<KeptLease> asked = new ArrayDeque<>();
        private boolean atOnce;

        @Override
        public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
            sent.add(lease);
            if (atOnce) {
                return CompletableFuture.completedFuture(
                        new Renewal(new RenewResult.Renewed(lease.hold()), machine.now()));
            }
            answers.add(new CompletableFuture<>());
            asked.add(lease);
            return answers.getLast();
        }

        void answer() {
            Hold hold = asked.remove().hold();
            answers.remove().complete(new Renewal(new RenewResult.Renewed(hold), machine.now()));
        }

        @Override
        public void giveBack(KeptLease lease) {}
    }

    private KeptLease keep() {
        return renewals.keep(KEY, hold(1, LEASE), Anchor.of(machine.time()), true);
    }

    private static Hold hold(int number, Duration lease) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        return new Hold(
                LeaseId.ofBits(1, number),
                Scope.WHOLE,
                "owner",
                new Token(number + 1),
                now,
                now,
                now.plus(lease),
                Terms.of(lease),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    /** Answers as told. */
    private static final class Line implements Renewer {
        Supplier<CompletableFuture<Renewal>> answer = CompletableFuture::new;
        int sent;
        int givenBack;

        Renewal renewed(Anchor start) {
            return new Renewal(new RenewResult.Renewed(hold(1, LEASE)), start);
        }

        @Override
        public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
            sent++;
            return answer.get();
        }

        @Override
        public void giveBack(KeptLease lease) {
            givenBack++;
        }
    }

    /** Answers on other threads, sometimes before the sender has returned. */
    private static final class Sudden implements Renewer {
        private final ExecutorService others = Executors.newFixedThreadPool(4);
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
            Renewal renewed = new Renewal(new RenewResult.Renewed(lease.hold()), Anchor.of(LocalTime.SYSTEM));
            CompletableFuture<Renewal> answer = new CompletableFuture<>();
            CountDownLatch told = new CountDownLatch(1);
            others.execute(() -> {
                answer.complete(renewed);
                told.countDown();
            });
            if (count.incrementAndGet() % 2 == 0) {
                await(told);
            }
            return answer;
        }

        private static void await(CountDownLatch told) {
            try {
                assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void giveBack(KeptLease lease) {}
    }
}
