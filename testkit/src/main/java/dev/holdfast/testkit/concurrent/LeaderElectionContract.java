package dev.holdfast.testkit.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.concurrent.Candidacy;
import dev.holdfast.concurrent.LeaderElection;
import dev.holdfast.concurrent.LeaderListener;
import dev.holdfast.concurrent.LeaderObserver;
import dev.holdfast.concurrent.Term;
import dev.holdfast.concurrent.TermEnd;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.client.ConnectedContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What users of {@link LeaderElection} may rely on, whatever their client is connected to. */
public abstract class LeaderElectionContract extends ConnectedContract {
    /** Long enough not to be lost on a crowded machine. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Where nobody notifies the holder, it hears of a force-unlock at its next renewal, after a third of this. */
    private static final Duration HEARD_SOON = Duration.ofSeconds(6);

    /** A lock of its own for each test: one may leave it to end by itself. */
    private final String name = "scheduler-" + UUID.randomUUID();

    private final List<Candidacy> candidacies = new ArrayList<>();
    private final HeardTerms heard = new HeardTerms();
    private final HeardTerms heardThere = new HeardTerms();
    private LockClient client = LockClient.connect("memory:");
    private LockClient there = client;
    private LeaderElection election = LeaderElection.of(client, name);
    private LeaderElection other = election;

    @BeforeEach
    void open() {
        client.close();
        client = opened(ClientConfig.DEFAULT.withOwner("here"));
        there = opened(ClientConfig.DEFAULT.withOwner("there"));
        election = LeaderElection.of(client, name).withLease(LEASE);
        other = LeaderElection.of(there, name).withLease(LEASE);
    }

    @AfterEach
    void close() {
        candidacies.forEach(Candidacy::close);
    }

    private Candidacy stand(LeaderElection in, LeaderListener listener) {
        Candidacy made = in.stand(listener);
        candidacies.add(made);
        return made;
    }

    private void awaitWaiting(int count) {
        Await.until(count + " wait", () -> other.leader().isPresent() && waiters() == count);
    }

    private int waiters() {
        return there.inspect().get(election.key()).waiters().size();
    }

    // ---- terms

    @Test
    @DisplayName(
            "one leads and the others wait; who resigns goes to the end of the queue, and each term has a greater token")
    void terms() {
        Candidacy first = stand(election.withMetadata("url", "http://10.0.0.1").withOwner("first"), heard);
        Term one = heard.term(1);
        assertThat(one.isValid()).isTrue();
        assertThat(one.remaining()).isPositive();
        assertThat(first.isLeader()).isTrue();
        assertThat(first.term()).containsSame(one);
        assertThat(first.state()).isEqualTo(Candidacy.State.LEADING);

        Candidacy second = stand(other, heardThere);
        awaitWaiting(1);
        assertThat(second.isLeader()).isFalse();
        assertThat(second.state()).isEqualTo(Candidacy.State.CAMPAIGNING);
        assertThat(other.leader()).get().satisfies(leader -> {
            assertThat(leader.owner()).isEqualTo("first");
            assertThat(leader.token()).isEqualTo(one.token());
            assertThat(leader.metadata()).containsEntry("url", "http://10.0.0.1");
        });

        one.resign();
        one.resign();
        Term two = heardThere.term(1);
        assertThat(one.isValid()).isFalse();
        assertThat(one.end()).contains(TermEnd.RESIGNED);
        assertThat(one.remaining()).isZero();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(one::ensureValid);
        assertThat(two.token()).isGreaterThan(one.token());
        assertThat(heard.said()).containsExactly("elected", "ended RESIGNED");

        awaitWaiting(1);
        two.resign();
        assertThat(heard.term(2).token()).isGreaterThan(two.token());
        assertThat(heard.failures()).isEmpty();
    }

    @Test
    @DisplayName("a leader that is ended by force is told so, and stands again")
    void forced() {
        stand(election.withLease(HEARD_SOON), heard);
        Term one = heard.term(1);
        stand(other, heardThere);
        awaitWaiting(1);
        there.inspect().forceUnlock(election.key(), one.token(), "test").orThrow();
        Term two = heardThere.term(1);
        heard.await("ended LOST FORCED");
        assertThat(one.isValid()).isFalse();
        awaitWaiting(1);
        two.resign();
        assertThat(heard.term(2).token()).isGreaterThan(two.token());
    }

    @Test
    @DisplayName("a leader that is closed hands over, and one that waits leaves the queue")
    void closed() {
        Candidacy first = stand(election, heard);
        heard.term(1);
        Candidacy second = stand(other, heardThere);
        awaitWaiting(1);
        second.close();
        assertThat(second.state()).isEqualTo(Candidacy.State.CLOSED);
        Await.until("nobody waits", () -> waiters() == 0);

        HeardTerms heardLater = new HeardTerms();
        stand(other, heardLater);
        awaitWaiting(1);
        first.close();
        assertThat(first.state()).isEqualTo(Candidacy.State.CLOSED);
        assertThat(heard.said()).containsExactly("elected", "ended CLOSED");
        heardLater.term(1);
        first.close();
        assertThat(heardThere.said()).isEmpty();
    }

    // ---- the work

    @Test
    @DisplayName("the work of a term is interrupted when it ends, and nobody else leads before it has returned")
    void handsOverWhenDone() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        HeardTerms slow = new HeardTerms() {
            @Override
            public void elected(Term term) throws Exception {
                super.elected(term);
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    go.await();
                }
            }
        };
        Candidacy first = stand(election, slow);
        Term one = slow.term(1);
        stand(other, heardThere);
        awaitWaiting(1);
        one.resign();
        interrupted.await();
        slow.await("ended RESIGNED");
        assertThat(first.state()).isEqualTo(Candidacy.State.ENDING);
        assertThat(first.isLeader()).isFalse();
        assertThat(one.lease().isValid()).isTrue();
        assertThat(other.leader()).map(Holder::token).contains(one.token());
        assertThat(heardThere.said()).isEmpty();
        go.countDown();
        heardThere.term(1);
    }

    @Test
    @DisplayName("work that resigns hears of the end when it has returned, and may close its candidacy itself")
    void resignsWithin() {
        List<String> order = new CopyOnWriteArrayList<>();
        List<Candidacy> self = new CopyOnWriteArrayList<>();
        Candidacy first = stand(election, new LeaderListener() {
            @Override
            public void elected(Term term) {
                Await.until("it knows itself", () -> !self.isEmpty());
                term.resign();
                order.add("resigned");
            }

            @Override
            public void ended(Term term, TermEnd why) {
                order.add("ended " + why);
                self.get(0).close();
            }
        });
        self.add(first);
        Await.until("it is closed", () -> first.state() == Candidacy.State.CLOSED);
        assertThat(order).containsExactly("resigned", "ended RESIGNED");
        assertThat(other.leader()).isEmpty();
    }

    @Test
    @DisplayName("a leader whose work throws leads no more, is told, and stands again after a pause")
    void workFails() {
        AtomicInteger terms = new AtomicInteger();
        HeardTerms failing = new HeardTerms() {
            @Override
            public void elected(Term term) throws Exception {
                super.elected(term);
                if (terms.incrementAndGet() == 1) {
                    throw new IllegalStateException("the work is broken");
                }
            }
        };
        Candidacy first = stand(election, failing);
        Term two = failing.term(2);
        assertThat(two.token()).isGreaterThan(failing.term(1).token());
        assertThat(failing.said()).containsExactly("elected", "ended FAILED", "elected");
        assertThat(failing.failures()).singleElement().asString().contains("the work is broken");
        assertThat(first.failure()).isEmpty();
        assertThat(first.isLeader()).isTrue();
    }

    @Test
    @DisplayName("when its client is closed, a leader has lost its term, and does not stand again")
    void clientClosed() {
        Candidacy first = stand(election, heard);
        heard.term(1);
        client.close();
        heard.await("ended LOST CLOSED");
        heard.awaitFailure(ClientClosedException.class);
        Await.until("it is closed", () -> first.state() == Candidacy.State.CLOSED);
        first.close();
    }

    // ---- looking

    @Test
    @DisplayName("observers hear who leads, and when it changes")
    void observers() {
        List<String> seen = new CopyOnWriteArrayList<>();
        LeaderObserver observer = new LeaderObserver() {
            @Override
            public void leads(Holder leader) {
                seen.add(leader.owner());
            }

            @Override
            public void nobodyLeads() {
                seen.add("nobody");
            }
        };
        LockClient.Subscription watching = other.observe(observer);
        try {
            Await.until("nobody leads", () -> seen.contains("nobody"));
            Candidacy first = stand(election, heard);
            Await.until("the first leads", () -> seen.contains("here"));
            first.close();
            Await.until("nobody leads", () -> seen.size() == 3);
            stand(other, heardThere);
            Await.until("the second leads", () -> seen.contains("there"));
            assertThat(seen).containsExactly("nobody", "here", "nobody", "there");
            assertThat(watching.isListening()).isTrue();
        } finally {
            watching.close();
        }
        assertThat(watching.isOver()).isTrue();
    }

    @Test
    @DisplayName("observers see what a leader shows of itself, also if the lock was handed over to it")
    void observersSeeMetadata() {
        List<String> seen = new CopyOnWriteArrayList<>();
        LockClient.Subscription watching = election.observe(
                leader -> seen.add(leader.owner() + " at " + leader.metadata().get("url")));
        try {
            Candidacy first = stand(election.withMetadata("url", "a"), heard);
            Await.until("the first leads", () -> seen.contains("here at a"));
            stand(other.withMetadata("url", "b"), heardThere);
            awaitWaiting(1);
            first.close();
            Await.until("the second is seen with what it shows", () -> seen.contains("there at b"));
        } finally {
            watching.close();
        }
    }

    @Test
    @DisplayName("what cannot be is told when it is said")
    void bounds() {
        assertThatIllegalArgumentException().isThrownBy(() -> election.withLease(Duration.ofDays(2)));
        assertThatIllegalArgumentException().isThrownBy(() -> election.withLease(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> election.withLease(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> election.withOwner(""));
        assertThatIllegalArgumentException().isThrownBy(() -> election.withMetadata("", "x"));
    }
}
