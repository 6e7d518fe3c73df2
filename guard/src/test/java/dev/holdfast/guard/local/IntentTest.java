package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.registry.GuardDocuments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An intent to stop a database")
class IntentTest {
    private final Rig rig = new Rig();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        others.shutdownNow();
        rig.close();
    }

    private void wish(String app, String desired) throws InterruptedException {
        rig.guard.register(new Registration(
                app, "http://" + app + "/", List.of(Rig.use("postgres", "db1")), Optional.of(desired)));
    }

    private List<String> wanting() {
        return rig.db().intents().stream().map(Intent::requestedBy).toList();
    }

    @Test
    @DisplayName("goes with its app when that is unregistered: the others are left in peace")
    void unregistered() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.stop("a");
        assertThat(wanting()).containsExactly("a");
        rig.guard.unregister("a");
        assertThat(rig.db().intent()).isEmpty();
        rig.apps.are(ProbeStatus.DOWN, "b");
        for (int i = 0; i < 5; i++) {
            rig.guard.reconcile(Rig.DB);
        }
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("goes when its app is wished otherwise, and leaves those of others")
    void wishedOtherwise() throws Exception {
        rig.sharing("a", "b", "c");
        for (String desired : List.of("running", "auto")) {
            rig.stop("a");
            rig.stop("b");
            assertThat(wanting()).containsExactlyInAnyOrder("a", "b");
            wish("a", desired);
            assertThat(wanting()).as(desired).containsExactly("b");
        }
        wish("b", "auto");
        assertThat(wanting()).isEmpty();
        rig.apps.are(ProbeStatus.DOWN, "a", "b", "c");
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();
    }

    @Test
    @DisplayName("goes when its app no longer uses the database")
    void noLongerUsed() throws Exception {
        rig.sharing("a", "b");
        rig.stop("a");
        rig.guard.register(Rig.app("a", Rig.use("postgres", "db2")));
        assertThat(wanting()).isEmpty();
    }

    @Test
    @DisplayName("whose app is gone does nothing, even if it is still stored")
    void stale() throws Exception {
        rig.sharing("b");
        GuardDocuments documents = new GuardDocuments(rig.documents);
        documents.update(Rig.DB, resource -> resource.wanted(new Intent("gone", java.time.Instant.EPOCH)));
        rig.apps.are(ProbeStatus.DOWN, "b");
        for (int i = 0; i < 3; i++) {
            rig.guard.reconcile(Rig.DB);
        }
        assertThat(rig.machines.acts()).isEmpty();
        assertThat(wanting()).isEmpty();
    }

    @Test
    @DisplayName("and its app are gone at once when it is unregistered while the database is being stopped")
    void unregisteredDuringAStop() throws Exception {
        rig.guard.register(Rig.app("a", Rig.on("i-1", "postgres", "db1")));
        rig.guard.register(Rig.app("b", Rig.use("postgres", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a", "b");
        rig.guard.stop("b");
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        rig.machines.beforeActing = act -> {
            reached.complete(null);
            gate.join();
        };
        Future<GuardAnswer> stop = others.submit(() -> rig.guard.stop("a"));
        reached.get();

        Future<Boolean> gone = others.submit(() -> rig.another().unregister("a"));
        assertThat(gone.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(rig.guard.apps()).extracting(App::name).containsExactly("b");
        assertThat(rig.guard.unregister("a")).as("it is gone").isFalse();
        assertThat(rig.guard.resource("i-1"))
                .as("what is being stopped keeps its name until then")
                .isPresent();

        gate.complete(null);
        stop.get();
        rig.guard.lookAround();
        assertThat(rig.guard.resources()).extracting(ResourceView::dbIdentifier).containsExactly(Rig.DB);
        assertThat(rig.db().state()).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName(
            "is gone, but its app is not, when that is unregistered and comes back while the database is being stopped")
    void comesBackDuringAStop() throws Exception {
        Registration a = Rig.app("a", Rig.on("i-1", "postgres", "db1"));
        rig.guard.register(a);
        rig.apps.are(ProbeStatus.REFUSED, "a");
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Void> reached = new CompletableFuture<>();
        rig.machines.beforeActing = act -> {
            reached.complete(null);
            gate.join();
        };
        Future<GuardAnswer> stop = others.submit(() -> rig.guard.stop("a"));
        reached.get();
        rig.another().register(new Registration(a.app(), a.url(), a.databases(), Optional.of("stopped")));
        assertThat(rig.another().unregister("a")).isTrue();
        rig.another().register(new Registration(a.app(), a.url(), a.databases(), Optional.of("stopped")));
        gate.complete(null);
        stop.get();

        rig.guard.lookAround();
        assertThat(rig.guard.apps()).extracting(App::name).containsExactly("a");
        assertThat(rig.guard.resource("i-1").orElseThrow().state()).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("stays when another app is started, and is done when that is gone again")
    void anotherStarts() throws Exception {
        rig.sharing("a", "b");
        rig.stop("a");
        rig.stop("b");
        assertThat(rig.start("b").outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(wanting()).containsExactly("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.guard.reconcile(Rig.DB);
        assertThat(rig.machines.acts()).isEmpty();
        rig.apps.are(ProbeStatus.REFUSED, "b");
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.STOPPED);
    }

    @Test
    @DisplayName("done before stopped databases were watched is watched too")
    void stoppedByAnEarlierVersion() throws Exception {
        rig.sharing("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.STOPPED);
        GuardDocuments documents = new GuardDocuments(rig.documents);
        Change now = documents.put(
                documents.resource(Rig.DB), documents.resource(Rig.DB).value());
        byte[] content = rig.documents.get(now.name()).orElseThrow().content();
        rig.documents.write(List.of(
                Change.put(now.name(), documents.resource(Rig.DB).unchanged(), content, Map.of("active", "no"))));
        assertThat(documents.watchedResources()).containsExactly(Rig.DB);
        assertThat(documents.watchedResources()).containsExactly(Rig.DB);
    }

    @Test
    @DisplayName("under another spelling of this machine, as stored by an earlier version, does not go silently")
    void otherSpelling() throws Exception {
        rig.guard.register(Rig.app("a", Rig.use("postgres", "127.0.0.1")));
        GuardDocuments documents = new GuardDocuments(rig.documents);
        documents.update("127.0.0.1:5432", resource -> resource.wanted(new Intent("a", java.time.Instant.EPOCH)));
        GuardDecision told = rig.guard.reconcile("127.0.0.1:5432").orElseThrow();
        assertThat(told.reason()).contains("localhost:5432", "wanted by a", "ask for it again");
        assertThat(rig.counted.all).contains("127.0.0.1:5432 pending");
        assertThat(rig.guard.reconcile("127.0.0.1:5432")).as("it was said").isEmpty();
    }

    // ---- what is needed again

    @Test
    @DisplayName("once done is not forgotten: if an app answers again, that is said once, and again when it is over")
    void needed() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a", "b");
        rig.stop("a");
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();

        rig.apps.are(ProbeStatus.UP, "b");
        GuardDecision needed = rig.guard.reconcile(Rig.DB).orElseThrow();
        assertThat(needed.outcome()).isEqualTo(GuardOutcome.NEEDED);
        assertThat(needed.reason()).contains("b (still answers 200)", "holdfast guard start b");
        assertThat(rig.db().neededBy()).containsExactly("b");
        assertThat(rig.guard.reconcile(Rig.DB)).as("it was said").isEmpty();
        assertThat(rig.counted.all).filteredOn("db1:5432 needed"::equals).hasSize(1);
        assertThat(rig.machines.acts()).containsExactly("stop db1:5432");

        rig.apps.are(ProbeStatus.REFUSED, "b");
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.db().neededBy()).isEmpty();
    }

    @Test
    @DisplayName("once done is undone if an app answers again and that is wished")
    void restarted() throws Exception {
        GuardConfig usual = Rig.QUICK;
        GuardConfig restarting = usual.withRestartIfNeeded(true);
        try (Rig again = new Rig(restarting)) {
            again.sharing("a");
            again.apps.are(ProbeStatus.REFUSED, "a");
            assertThat(again.stop("a").outcome()).isEqualTo(GuardOutcome.STOPPED);
            again.apps.are(ProbeStatus.UP, "a");
            again.guard.lookAround();
            dev.holdfast.testkit.Await.until("it runs", () -> again.machines.of(Rig.DB) == ResourceState.RUNNING);
            dev.holdfast.testkit.Await.until("that is stored", () -> again.db().state() == ResourceState.RUNNING);
        }
    }
}
