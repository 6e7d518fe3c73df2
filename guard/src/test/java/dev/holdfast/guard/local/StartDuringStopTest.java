package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.model.Token;
import dev.holdfast.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An app that starts while a stop is being decided")
class StartDuringStopTest {
    private final Rig rig = new Rig();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        others.shutdownNow();
        rig.close();
    }

    @Test
    @DisplayName("before the probes come back: it is seen starting, and nothing is stopped")
    void duringProbes() throws Exception {
        bothDown();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        rig.apps.hold("a", gate);
        int before = rig.apps.probes.get();
        Future<GuardDecision> stop = others.submit(() -> rig.stop("b"));
        Await.until("it probes", () -> rig.apps.probes.get() > before);
        Future<GuardDecision> start = others.submit(() -> Rig.only(rig.another().start("a")));
        Await.until("it is marked", () -> rig.guard.app("a").startingUntil().isPresent());
        gate.complete(null);
        assertThat(stop.get().outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertRunsFor(start);
        assertThat(rig.machines.acts()).doesNotContain("stop db1:5432");
    }

    @Test
    @DisplayName("while the actuator stops: it waits for the lock, and then starts it again")
    void duringTheAct() throws Exception {
        bothDown();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        rig.machines.beforeActing = act -> {
            if (act.equals("stop")) {
                reached.complete(null);
                gate.join();
            }
        };
        Future<GuardDecision> stop = others.submit(() -> rig.stop("b"));
        reached.get();
        GuardDecision busy = Rig.only(rig.another().start("a"));
        assertThat(busy.outcome()).isEqualTo(GuardOutcome.SKIPPED_LOCK); // not started: it must not rely on it yet
        gate.complete(null);
        assertThat(stop.get().outcome()).isEqualTo(GuardOutcome.STOPPED);
        // Nobody calls again: the reconciler finds an app that is starting without its database.
        GuardDecision later = rig.another().reconcile(Rig.DB).orElseThrow();
        assertThat(later.outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.db().intent()).isEmpty();
    }

    @Test
    @DisplayName("under a holder that lost its lock: the late stop comes with an older token and is refused")
    void zombie() throws Exception {
        bothDown();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        rig.machines.beforeActing = act -> {
            if (act.equals("stop")) {
                reached.complete(null);
                gate.join();
            }
        };
        Future<GuardDecision> stop = others.submit(() -> rig.stop("b"));
        reached.get();
        Token held = rig.locks
                .inspect()
                .get(ResourceLeases.key(Rig.DB))
                .holders()
                .get(0)
                .token();
        rig.locks.inspect().forceUnlock(ResourceLeases.key(Rig.DB), held, "as if it had expired");
        assertThat(Rig.only(rig.another().start("a")).outcome()).isEqualTo(GuardOutcome.STARTED);
        gate.complete(null);
        assertThat(stop.get().outcome()).isEqualTo(GuardOutcome.SKIPPED_LOCK);
        assertThat(rig.machines.acts()).containsExactly("start db1:5432", "stop refused db1:5432");
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName(
            "after a stop that failed, though all seems to run: its actuator has seen a newer token before the start is answered")
    void afterAFailedStop() throws Exception {
        bothDown();
        rig.machines.broken(true);
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.PENDING);
        rig.machines.broken(false);
        assertThat(rig.start("a").outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(rig.machines.acts()).containsExactly("stop failed db1:5432", "start db1:5432");
    }

    @Test
    @DisplayName("nobody needs to call start for a stop that was begun to be undone when an app is up again")
    void begunAndNoLongerPossible() throws Exception {
        bothDown();
        rig.machines.broken(true);
        rig.stop("b");
        rig.machines.broken(false);
        rig.apps.are(ProbeStatus.UP, "a");
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.machines.acts()).containsExactly("stop failed db1:5432", "start db1:5432");
    }

    @Test
    @DisplayName("and whose start failed: it is tried again while the app needs it, though another wants it stopped")
    void failedStartAndAnIntent() throws Exception {
        bothDown();
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.stop("a");
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.STOPPED);
        rig.machines.broken(true);
        assertThat(rig.start("a").outcome()).isEqualTo(GuardOutcome.PENDING);
        assertThat(rig.db().state()).isEqualTo(ResourceState.STARTING);
        rig.stop("b");
        new GuardDocuments(rig.documents).app("a").ifPresent(app -> {
            App late = app.value().wished(DesiredState.RUNNING, Optional.empty()); // it has been starting for too long
            GuardDocuments documents = new GuardDocuments(rig.documents);
            assertThat(documents.write(List.of(documents.put(late, app.unchanged()))))
                    .isTrue();
        });
        rig.machines.broken(false);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName(
            "between any two steps of the stop: when it is told that it may rely on its database, that runs, and goes on running")
    void betweenAnySteps() throws Exception {
        int steps = 0;
        for (boolean more = true; more; steps++) {
            try (Rig fresh = new Rig()) {
                fresh.sharing("a", "b");
                fresh.apps.are(ProbeStatus.REFUSED, "b");
                fresh.apps.are(ProbeStatus.DOWN, "a");
                more = startsAtStep(fresh, steps);
            }
        }
        assertThat(steps).isGreaterThan(20);
    }

    @Test
    @DisplayName(
            "under a holder that lost its lock while it looked: what that had read has changed, and it writes nothing")
    void zombieThatLooks() throws Exception {
        bothDown();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        rig.apps.hold("a", gate);
        Future<GuardDecision> stop = others.submit(() -> rig.stop("b"));
        Await.until("it probes", () -> rig.apps.probes.get() > 0);
        loseLock();
        assertThat(Rig.only(rig.another().start("a")).outcome()).isEqualTo(GuardOutcome.STARTED);
        gate.complete(null);
        // Whether it knows by then that it lost the lock, or only sees the change, is up to the store.
        assertThat(stop.get().outcome()).isIn(GuardOutcome.SKIPPED_LOCK, GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.db().intents()).extracting(Intent::requestedBy).containsExactly("b");
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName(
            "under a holder that lost its lock after it had stopped it: its late note does not hide that it runs again")
    void zombieThatTells() throws Exception {
        bothDown();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        rig.machines.afterActing = act -> {
            if (act.equals("stop")) {
                reached.complete(null);
                gate.join();
            }
        };
        Future<GuardDecision> stop = others.submit(() -> rig.stop("b"));
        reached.get();
        loseLock();
        assertThat(Rig.only(rig.another().start("a")).outcome()).isEqualTo(GuardOutcome.STARTED);
        gate.complete(null);
        assertThat(stop.get().outcome()).isEqualTo(GuardOutcome.SKIPPED_LOCK);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
    }

    private void loseLock() {
        Token held = rig.locks
                .inspect()
                .get(ResourceLeases.key(Rig.DB))
                .holders()
                .get(0)
                .token();
        rig.locks.inspect().forceUnlock(ResourceLeases.key(Rig.DB), held, "as if it had expired");
    }

    /** False if the stop had no such step. */
    private boolean startsAtStep(Rig fresh, int step) throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean came = new AtomicBoolean();
        LocalGuard starter = fresh.another();
        LocalGuard stopper = fresh.on(
                new Stepped(fresh.documents, () -> {
                    if (calls.getAndIncrement() == step) {
                        came.set(true);
                        startWhile(starter);
                    }
                }),
                fresh.apps,
                fresh.machines);
        GuardDecision stopped = Rig.only(stopper.stop("b"));
        if (!came.get()) {
            assertThat(stopped.outcome()).isEqualTo(GuardOutcome.STOPPED);
            return false;
        }
        // Told or not, the start is stored: with nobody calling, it ends with the database running.
        for (int i = 0; i < 3; i++) {
            starter.reconcile(Rig.DB);
            stopper.reconcile(Rig.DB);
        }
        assertThat(fresh.machines.of(Rig.DB)).as("start at step %d", step).isEqualTo(ResourceState.RUNNING);
        assertThat(fresh.guard.resource(Rig.DB).orElseThrow().state()).isNotEqualTo(ResourceState.STOPPED);
        return true;
    }

    private static void startWhile(LocalGuard starter) {
        try {
            starter.start("a");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void bothDown() throws InterruptedException {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.DOWN, "a");
        rig.apps.are(ProbeStatus.REFUSED, "b");
    }

    private void assertRunsFor(Future<GuardDecision> start) throws Exception {
        GuardOutcome outcome = start.get().outcome();
        if (outcome != GuardOutcome.STARTED) { // its retries may have run out meanwhile
            rig.guard.reconcile(Rig.DB);
        }
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
    }

    /** Calls back before each use of the documents. */
    record Stepped(DocumentStore documents, Runnable step) implements DocumentStore {
        @Override
        public String kind() {
            return documents.kind();
        }

        @Override
        public long maxSize() {
            return documents.maxSize();
        }

        @Override
        public boolean isAtomic() {
            return documents.isAtomic();
        }

        @Override
        public Optional<DocumentHead> look(String name) {
            step.run();
            return documents.look(name);
        }

        @Override
        public Optional<Document> get(String name) {
            step.run();
            return documents.get(name);
        }

        @Override
        public WriteOutcome write(List<Change> changes) {
            step.run();
            WriteOutcome outcome = documents.write(changes);
            step.run();
            return outcome;
        }

        @Override
        public DocumentPage list(ListRequest request) {
            step.run();
            return documents.list(request);
        }

        @Override
        public void close() {}
    }
}
