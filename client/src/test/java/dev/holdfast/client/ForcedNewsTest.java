package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.LeaseRenewals;
import dev.holdfast.internal.engine.leases.RenewalLine;
import dev.holdfast.internal.engine.leases.Renewer;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("news of force-unlocks, from a server that refuses for a while")
@Timeout(120)
class ForcedNewsTest {
    private static final String HISTORY = "/v2/history";
    private static final String EVENTS = "/v2/events";
    private static final RecordKey KEPT = new RecordKey("default", "kept");
    private static final Duration LONG = Duration.ofHours(1);

    private final Minutes machine = new Minutes();
    private final AskedRenewer asked = new AskedRenewer();
    private HoldfastServer server;
    private Front front;
    private LockClient operator;
    private ServerLocks service;
    private LeaseRenewals renewals;
    private ForcedNews news;

    @BeforeEach
    void open() throws IOException {
        server = LocalServer.inMemory();
        String url = LocalServer.url(server);
        operator = LockClient.connect(url);
        front = new Front(url);
        service = (ServerLocks)
                ServerLocks.connect(ServerConfig.of(front.url()).withoutListening(), ClientConfig.DEFAULT);
        renewals = new LeaseRenewals(machine.real, new Judgement(), asked, RenewalLine.toServer(true));
        news = new ForcedNews(service, renewals, machine);
    }

    @AfterEach
    void close() {
        news.close();
        renewals.close();
        service.close();
        operator.close();
        front.close();
        server.close();
        machine.close();
    }

    @Test
    @DisplayName(
            "are asked for once and then not for a while, however many leases are taken; and are heard once it lets in")
    void refusedAtOnce() throws Exception {
        front.always(HISTORY, Front.Fault.UNAUTHORIZED);
        keep(50);
        seen(HISTORY, 1);
        keep(50);
        for (int round = 2; round < 5; round++) {
            machine.pass();
            seen(HISTORY, round);
            keep(10);
        }
        assertThat(machine.waiting())
                .as("one look is planned, not one for each")
                .isEqualTo(1);
        assertThat(front.seen(EVENTS)).isEmpty();
        assertThat(front.seen(HISTORY)).hasSize(4);

        front.undisturbed(HISTORY);
        machine.pass();
        seen(EVENTS, 1);
        hears();
    }

    @Test
    @DisplayName("end when the line breaks and it no longer lets in, are not asked for again and again, and come back")
    void refusedLater() throws Exception {
        keep(1);
        seen(EVENTS, 1);
        hears();

        front.always(EVENTS, Front.Fault.UNAUTHORIZED);
        front.cutStreams();
        seen(EVENTS, 2);
        keep(50);
        machine.pass();
        seen(EVENTS, 3);
        keep(50);
        assertThat(machine.waiting()).isEqualTo(1);

        front.undisturbed(EVENTS);
        machine.pass();
        seen(EVENTS, 4);
        hears();
    }

    /** Leases of this client that it renews seldom. */
    private void keep(int leases) {
        Terms terms = new Terms(LONG, Duration.ofSeconds(30), Duration.ZERO, Map.of(), "");
        Anchor now = Anchor.of(machine.time());
        for (int i = 0; i < leases; i++) {
            Hold hold = new Hold(
                    service.newLeaseId(),
                    Scope.WHOLE,
                    "alice",
                    new Token(1 + i),
                    now.wall(),
                    now.wall(),
                    now.wall().plus(terms.lease()),
                    terms,
                    Hold.Phase.HELD,
                    Optional.empty(),
                    false);
            renewals.keep(KEPT, hold, now, true);
            news.kept(KEPT, hold);
        }
    }

    /** A force-unlock makes it ask about its leases at once. */
    private void hears() throws Exception {
        Lease lease = operator.acquire(LockKey.of("default", "kept"), o -> o.lease(LONG));
        Await.until("what was taken before it could hear is asked about", () -> asked.count() >= renewals.size());
        Thread.sleep(300); // until it has asked what it has to ask
        int before = asked.count();
        operator.inspect().forceUnlock(lease.key(), lease.token(), "test");
        Await.until("it asks about its leases", () -> asked.count() > before);
        asked.forget();
    }

    /** So many requests have come, and no more come in the next moment. */
    private void seen(String path, int requests) throws InterruptedException {
        Await.until(requests + " requests to " + path, () -> front.seen(path).size() >= requests);
        Thread.sleep(300); // a storm would come now
        assertThat(front.seen(path)).hasSize(requests);
    }

    /** Counts, and says that all is as it was. */
    private final class AskedRenewer implements Renewer {
        private final List<KeptLease> leases = new CopyOnWriteArrayList<>();

        @Override
        public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
            leases.add(lease);
            Anchor now = Anchor.of(machine.time());
            return CompletableFuture.completedFuture(new Renewal(new RenewResult.Renewed(lease.hold()), now));
        }

        @Override
        public void giveBack(KeptLease lease) {}

        int count() {
            return leases.size();
        }

        void forget() {
            leases.clear();
        }
    }

    /** Time passes when a test says so; nothing is done meanwhile. */
    private static final class Minutes implements Machine {
        private final Machine real = new ThreadMachine("test");
        private final List<Runnable> later = new ArrayList<>();

        /** So long that all that was planned is due. */
        void pass() {
            List<Runnable> due;
            synchronized (later) {
                due = List.copyOf(later);
                later.clear();
            }
            due.forEach(Runnable::run);
        }

        int waiting() {
            synchronized (later) {
                return later.size();
            }
        }

        @Override
        public LocalTime time() {
            return real.time();
        }

        @Override
        public void run(Runnable task) {
            real.run(task);
        }

        @Override
        public void tell(ThreadLane lane, Runnable task) {
            real.tell(lane, task);
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            synchronized (later) {
                later.add(task);
            }
            return () -> {
                synchronized (later) {
                    later.remove(task);
                }
            };
        }

        @Override
        public long random() {
            return real.random();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
