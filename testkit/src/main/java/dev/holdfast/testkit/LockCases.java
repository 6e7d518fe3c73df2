package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Versioned;
import dev.holdfast.testkit.fixture.FaultyStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.fixture.SurroundingTests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.TestInstances;

/** What all groups of {@link LockContract} share: engines on one store, and short ways to ask them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a defect may hang; the build must not
@ExtendWith(SurroundingTests.class)
abstract class LockCases {
    static final LockKey KEY = LockKey.of("default", "lock");
    /** Short, since with a real server it really passes. */
    static final Duration LEASE = Duration.ofSeconds(1);
    /** Past the end of such a lease, whatever the margins. */
    static final Duration PAST_LEASE = Duration.ofMillis(1_400);

    static final Duration LONG = Duration.ofMinutes(10);
    /** Past the time for which an operation is retried. */
    static final Duration PAST_TIMEOUT = Duration.ofSeconds(4);
    /** Longer than a place in the queue is kept for a grant by another engine. */
    static final Duration PAST_CLAIM = Duration.ofMillis(3_500);

    static final EngineConfig CONFIG = EngineConfig.DEFAULT
            .withOperationTimeout(Duration.ofSeconds(2))
            .withStaleAfter(Duration.ofSeconds(1))
            .withKeysCached(1_000)
            .withWaiters(1_000, 10_000);

    private Optional<StoreFixture> opened = Optional.empty();
    private final List<Node> nodes = new ArrayList<>();

    /** That of the contract this is a group of. */
    StoreFixture newFixture(TestInstances tests) throws Exception {
        return tests.findInstance(LockContract.class).orElseThrow().fixture();
    }

    @BeforeEach
    void openFixture(TestInstances tests) throws Exception {
        opened = Optional.of(newFixture(tests));
    }

    @AfterEach
    void closeFixture() {
        nodes.forEach(node -> {
            node.line.heal();
            node.store.letGo();
            node.locks.close();
            node.store.close();
        });
        opened.ifPresent(StoreFixture::close);
    }

    StoreFixture fixture() {
        return opened.orElseThrow();
    }

    /** The value of the stage, while time goes on: those who got into each other's way try again a little later. */
    <T> T awaitInTime(CompletableFuture<T> stage) {
        awaitEndInTime(stage);
        return Await.get(stage);
    }

    /** The same, whatever the answer is. */
    void awaitEndInTime(CompletableFuture<?> stage) {
        Await.until("there is an answer", () -> {
            if (!stage.isDone()) {
                advance(Duration.ofMillis(8));
            }
            return stage.isDone();
        });
    }

    void advance(Duration time) {
        fixture().advance(time);
    }

    Node node(String owner) {
        return node(owner, CONFIG);
    }

    Node node(String owner, EngineConfig config) {
        return node(owner, config, fixture().machine());
    }

    Node node(String owner, EngineConfig config, Machine machine) {
        FaultyStore store = FaultyStore.of(fixture().open());
        Node node = fixture()
                .join(owner, config)
                .map(joined -> new Node(owner, store, joined.locks(), joined.line(), Optional.empty()))
                .orElseGet(() -> Node.withEngine(owner, store, machine, config));
        nodes.add(node);
        return node;
    }

    /** One that holds the whole lock by this lease id; nobody keeps that hold. */
    Node nodeHolding(String owner, String leaseId) {
        Node node = node(owner);
        granted(node.ask(leaseId).now());
        return node;
    }

    /** A hold that nobody keeps: it ends by itself, as that of a dead process does. */
    static Hold granted(Attempt<LockService.Grant> answer) {
        assertThat(answer).isInstanceOf(Attempt.Done.class);
        return ((Attempt.Done<LockService.Grant>) answer).value().hold();
    }

    static Attempt.Busy<LockService.Grant> busy(Attempt<LockService.Grant> answer) {
        assertThat(answer).isInstanceOf(Attempt.Busy.class);
        return (Attempt.Busy<LockService.Grant>) answer;
    }

    /** What its listener is told from now on, in that order. */
    static List<LostReason> lossesOf(Lease lease) {
        List<LostReason> lost = new CopyOnWriteArrayList<>();
        lease.onLost(lost::add);
        return lost;
    }

    static void assertLost(Attempt<?> answer, LostReason reason) {
        assertThat(answer).isInstanceOf(Attempt.Lost.class);
        assertThat(((Attempt.Lost<?>) answer).reason()).isEqualTo(reason);
    }

    static void assertRenewed(Attempt<Holder> answer) {
        assertThat(answer).isInstanceOf(Attempt.Done.class);
    }

    static LeaseId id(String name) {
        return new LeaseId("lease-id-" + name);
    }

    /** One process: the locks it uses, the library on them, and its line to where they are. */
    static final class Node {
        final String owner;
        /** Where the truth is. For a process with an engine also what its engine stands on. */
        final FaultyStore store;

        final LockService locks;
        final LockClient client;
        final StoreFixture.Line line;
        private final Optional<LockEngine> engine;

        Node(String owner, FaultyStore store, LockService locks, StoreFixture.Line line, Optional<LockEngine> engine) {
            this.owner = owner;
            this.store = store;
            this.locks = locks;
            this.line = line;
            this.engine = engine;
            this.client = locks.client(ClientConfig.DEFAULT.withOwner(owner));
        }

        static Node withEngine(String owner, FaultyStore store, Machine machine, EngineConfig config) {
            LockEngine engine = new LockEngine(store, machine, config, new LockRules(), new Judgement(), 1).started();
            LockService locks = LockService.of(engine);
            return new Node(owner, store, locks, store, Optional.of(engine));
        }

        /** Its engine; only for what is about engines. */
        LockEngine engine() {
            return engine.orElseThrow();
        }

        /** Asks by this lease id for the whole lock. */
        Ask ask(String leaseId) {
            return new Ask(this, KEY, id(leaseId), Mode.EXCLUSIVE, List.of(""), owner, Terms.of(LONG));
        }

        Attempt<Holder> renew(String leaseId) {
            return Await.get(locks.renew(KEY.record(), id(leaseId), Optional.empty()));
        }

        boolean release(String leaseId) {
            return Await.get(locks.release(KEY.record(), id(leaseId)));
        }

        Attempt<Holder> force(Token token) {
            return force(KEY, token);
        }

        Attempt<Holder> force(LockKey key, Token token) {
            return Await.get(locks.force(key.record(), token, "operator", "stuck"));
        }

        LockRecord record() {
            return record(KEY);
        }

        LockRecord record(LockKey key) {
            return stored(key).orElseGet(() -> LockRecord.empty(key.record()));
        }

        Optional<LockRecord> stored(LockKey key) {
            return Await.get(store.read(key.record())).map(Versioned::record);
        }

        /** Waits until somebody's place in the queue is stored. */
        void awaitQueued(String leaseId) {
            Await.until(leaseId + " is in the queue", () -> record().position(id(leaseId)) > 0);
        }

        /** Ends without a word, as a process that was killed: nothing is given up, nothing renewed. */
        void die() {
            line.cut();
        }
    }

    /** An acquisition as a test wants it; each method gives a changed copy. */
    record Ask(Node node, LockKey key, LeaseId leaseId, Mode mode, List<String> paths, String owner, Terms terms) {
        Ask at(String... some) {
            return new Ask(node, key, leaseId, mode, Arrays.asList(some), owner, terms);
        }

        Ask in(Mode other) {
            return new Ask(node, key, leaseId, other, paths, owner, terms);
        }

        Ask of(LockKey other) {
            return new Ask(node, other, leaseId, mode, paths, owner, terms);
        }

        Ask by(String other) {
            return new Ask(node, key, leaseId, mode, paths, other, terms);
        }

        Ask lease(Duration lease) {
            return with(new Terms(lease, Terms.renewal(lease), terms.minHold(), terms.metadata(), terms.reason()));
        }

        Ask minHold(Duration minHold) {
            return with(new Terms(terms.lease(), terms.renewEvery(), minHold, Map.of(), ""));
        }

        Ask with(Terms other) {
            return new Ask(node, key, leaseId, mode, paths, owner, other);
        }

        /** The answer to an acquisition that does not wait. */
        Attempt<LockService.Grant> now() {
            return Await.get(answer());
        }

        /** The same, not waited for. */
        CompletableFuture<Attempt<LockService.Grant>> answer() {
            return begin(Duration.ZERO).answer();
        }

        /** Waits in the queue; returns once the place is stored, or the lock granted. */
        LockService.Asking queue() {
            LockService.Asking begun = begin(LONG);
            Await.until(
                    leaseId + " has a place",
                    () -> begun.answer().isDone() || node.record(key).position(leaseId) > 0);
            return begun;
        }

        LockService.Asking begin(Duration waitFor) {
            Scope scope = new Scope(paths.stream().map(LockPath::of).toList(), mode);
            return node.locks.acquire(
                    new Request(key.record(), leaseId, scope, owner, terms, waitFor, Duration.ZERO), Calling.ASYNC);
        }
    }

    static boolean isGranted(LockService.Asking asking) {
        return asking.answer().isDone() && Await.get(asking.answer()) instanceof Attempt.Done;
    }

    static Hold awaitGranted(LockService.Asking asking) {
        return granted(Await.get(asking.answer()));
    }
}
