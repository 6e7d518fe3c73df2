package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.QuickStatus;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.model.EventType;
import dev.holdfast.spi.EventLog;
import dev.holdfast.testkit.Await;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The guard")
class GuardTest {
    private final Rig rig = new Rig();
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        others.shutdownNow();
        rig.close();
    }

    @Test
    @DisplayName("stops a database with the last of three apps, and not before")
    void sequential() throws Exception {
        rig.sharing("a", "b", "c");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        rig.apps.are(ProbeStatus.REFUSED, "b");
        GuardDecision second = rig.stop("b");
        assertThat(second.outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(second.reason()).contains("c (answers 200)");
        assertThat(second.evidence()).extracting(Evidence::toString).containsExactly("a=DOWN", "b=DOWN", "c=UP(200)");
        assertThat(rig.machines.acts()).isEmpty();

        rig.apps.are(ProbeStatus.REFUSED, "c");
        assertThat(rig.stop("c").outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.STOPPED);
        assertThat(rig.db().state()).isEqualTo(ResourceState.STOPPED);
        assertThat(rig.db().intent()).isEmpty();
        assertThat(rig.counted.all).contains("db1:5432 skipped_shared_active", "db1:5432 stopped", "lock 0 true");
    }

    @Test
    @DisplayName("ends with the database stopped when two apps stop at the same moment, each seeing the other up")
    void concurrent() throws Exception {
        rig.sharing("a", "b");
        LocalGuard running = rig.running();
        Future<GuardDecision> first = others.submit(() -> Rig.only(running.stop("a")));
        Future<GuardDecision> second =
                others.submit(() -> Rig.only(rig.another().stop("b")));
        assertThat(first.get().outcome()).isNotEqualTo(GuardOutcome.STOPPED);
        assertThat(second.get().outcome()).isNotEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.db().intent()).isPresent();

        rig.apps.are(ProbeStatus.REFUSED, "a", "b"); // now both processes are gone, and nobody calls again
        Await.until("it is stopped", () -> rig.machines.of(Rig.DB) == ResourceState.STOPPED);
        Await.until("that is stored", () -> rig.db().intent().isEmpty());
        assertThat(rig.machines.acts()).containsExactly("stop db1:5432");
    }

    @Test
    @DisplayName("never stops while an app does not answer, and says which")
    void unknownBlocks() throws Exception {
        rig.sharing("a", "hole");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.apps.are(ProbeStatus.UNKNOWN, "hole");
        GuardDecision decision = rig.stop("a");
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("hole (timed out)");
        for (int i = 0; i < 5; i++) {
            rig.guard.reconcile(Rig.DB);
        }
        assertThat(rig.machines.acts()).isEmpty();
        assertThat(rig.db().decisions()).hasSize(1); // the same again is not written again
    }

    @Test
    @DisplayName(
            "counts how often an app was down on what is stored, across guards, and starts anew after any other sight")
    void confirmations() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.stop("a");
        rig.apps.are(ProbeStatus.DOWN, "b");
        assertThat(rig.another().reconcile(Rig.DB).orElseThrow().reason()).contains("b (1 of 2 times)");
        rig.apps.are(ProbeStatus.UP, "b");
        assertThat(rig.another().reconcile(Rig.DB).orElseThrow().outcome())
                .isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        rig.apps.are(ProbeStatus.DOWN, "b");
        assertThat(rig.another().reconcile(Rig.DB).orElseThrow().reason()).contains("b (1 of 2 times)");
        assertThat(rig.machines.acts()).isEmpty();
        assertThat(rig.another().reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STOPPED);
    }

    @Test
    @DisplayName("a dedicated database goes through the same lock, which shows whose it is and why")
    void dedicated() throws Exception {
        rig.sharing("solo");
        rig.apps.are(ProbeStatus.REFUSED, "solo");
        CompletableFuture<Holder> holder = new CompletableFuture<>();
        rig.machines.beforeActing = act -> holder.complete(
                rig.locks.inspect().get(ResourceLeases.key(Rig.DB)).holders().get(0));
        assertThat(rig.stop("solo").outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(holder.get().key().name()).isEqualTo("LOCK#DB#db1:5432");
        assertThat(holder.get().metadata())
                .containsKeys("owner_id", "ttl", "created_at")
                .containsEntry("lock_type", "database")
                .containsEntry("db_identifier", "db1:5432");
        assertThat(holder.get().owner()).isEqualTo(holder.get().metadata().get("owner_id"));
        assertThat(rig.locks.inspect().get(ResourceLeases.key(Rig.DB)).isFree()).isTrue();
    }

    @Test
    @DisplayName("gives up on a held lock after the retries, stops nothing, and the intent is done later")
    void lockTimeout() throws Exception {
        rig.sharing("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        Attempt<Lease> other = rig.locks.tryAcquire(ResourceLeases.key(Rig.DB), o -> {});
        GuardDecision decision = rig.stop("a");
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.SKIPPED_LOCK);
        assertThat(rig.counted.all).containsExactly("lock 3 false", "db1:5432 skipped_lock");
        assertThat(rig.lines)
                .filteredOn(line -> line.startsWith("Lock held by another process, retrying..."))
                .hasSize(3);
        assertThat(rig.lines).anyMatch(line -> line.startsWith("Lock not acquired for db=db1:5432 after 4 attempts"));
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();
        assertThat(rig.machines.acts()).isEmpty();

        other.orThrow().close();
        rig.guard.reconcile(Rig.DB);
        rig.guard.reconcile(Rig.DB);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.STOPPED);
    }

    @Test
    @DisplayName("in shadow mode decides and records, and stops nothing")
    void shadow() throws Exception {
        GuardConfig off = Rig.QUICK.withSharedDbLockEnabled(false).withEmojiLog(true);
        try (Rig shadowed = new Rig(off)) {
            shadowed.sharing("a");
            shadowed.apps.are(ProbeStatus.REFUSED, "a");
            GuardDecision decision = shadowed.stop("a");
            assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
            assertThat(decision.reason()).startsWith("shadow mode").contains("would be stopped");
            for (int i = 0; i < 5; i++) {
                shadowed.guard.reconcile(Rig.DB);
            }
            assertThat(shadowed.machines.acts()).isEmpty();
            assertThat(shadowed.db().decisions()).hasSize(1);
            assertThat(shadowed.lines).allMatch(line -> line.codePointAt(0) > 0x2000); // symbols were asked for
        }
    }

    @Test
    @DisplayName("a dry run says what would be decided and changes nothing")
    void dryRun() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(Rig.only(rig.guard.checkStop("a")).outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        rig.apps.are(ProbeStatus.DOWN, "b");
        GuardDecision would = Rig.only(rig.guard.checkStop("a"));
        assertThat(would.outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(would.reason()).startsWith("dry run: it would be stopped");
        assertThat(Rig.only(rig.guard.checkStart("a")).reason()).isEqualTo("dry run: it runs");
        assertThat(rig.machines.acts()).isEmpty();
        assertThat(rig.db().intent()).isEmpty();
        assertThat(rig.db().decisions()).isEmpty();
        assertThat(rig.guard.app("a").desired()).isEqualTo(DesiredState.AUTO);
    }

    @Test
    @DisplayName(
            "an actuator that is not configured is refused at registration; if it goes missing later, nothing is stopped")
    void missingActuator() throws Exception {
        Registration.Use odd =
                new Registration.Use("postgres", Optional.of("db1"), Optional.empty(), Optional.of("odd"));
        assertThatThrownBy(() -> rig.guard.register(Rig.app("a", odd)))
                .isInstanceOf(InvalidAppException.class)
                .hasMessageContaining("actuator 'odd' is not configured")
                .hasMessageContaining("log");

        LocalGuard had = rig.on(rig.documents, rig.apps, rig.machines, new Machines("odd"));
        had.register(Rig.app("a", odd));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        GuardDecision decision = rig.stop("a");
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("actuator 'odd' is not configured here");
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("a database with no canonical identifier is not stopped, with the reason")
    void noIdentifier() throws Exception {
        rig.guard.register(Rig.app("a", Rig.use("homegrown", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        GuardDecision decision = rig.stop("a");
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.SKIPPED_UNKNOWN);
        assertThat(decision.reason()).contains("no canonical identifier");
        assertThat(rig.guard.resources())
                .singleElement()
                .satisfies(view -> assertThat(view.problems()).isNotEmpty());
    }

    @Test
    @DisplayName("what takes its time is pending until it is read back as stopped")
    void slowStop() throws Exception {
        rig.sharing("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.machines.takeTime(ResourceState.STOPPING, ResourceState.STARTING);
        assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.PENDING);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().reason()).isEqualTo("it is stopping");
        assertThat(rig.db().intent()).isPresent();
        rig.machines.become(Rig.DB, ResourceState.STOPPED);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.db().intent()).isEmpty();
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();

        assertThat(rig.start("a").outcome()).isEqualTo(GuardOutcome.PENDING);
        rig.machines.become(Rig.DB, ResourceState.RUNNING);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(rig.db().state()).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();
    }

    @Test
    @DisplayName("a stop that fails is told and tried again")
    void failingStop() throws Exception {
        rig.sharing("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.machines.broken(true);
        GuardDecision decision = rig.stop("a");
        assertThat(decision.outcome()).isEqualTo(GuardOutcome.PENDING);
        assertThat(decision.reason()).contains("the machine room is dark");
        rig.machines.broken(false);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STOPPED);
    }

    @Test
    @DisplayName(
            "starting an app withdraws the intent, starts what is stopped, and keeps it from being stopped until the app is up or late")
    void start() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a", "b");
        rig.stop("a");
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.STOPPED);

        GuardDecision started = rig.start("a");
        assertThat(started.outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(rig.machines.of(Rig.DB)).isEqualTo(ResourceState.RUNNING);
        assertThat(rig.guard.app("a").desired()).isEqualTo(DesiredState.AUTO);

        rig.apps.are(ProbeStatus.DOWN, "a"); // it warms up
        GuardDecision stop = rig.stop("b");
        assertThat(stop.outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(stop.evidence().get(0).status()).isEqualTo("STARTING");

        rig.apps.are(ProbeStatus.UP, "a");
        rig.guard.reconcile(Rig.DB);
        assertThat(rig.guard.app("a").startingUntil()).isEmpty();
        rig.apps.are(ProbeStatus.DOWN, "a"); // and crashes
        rig.guard.reconcile(Rig.DB);
        assertThat(rig.guard.reconcile(Rig.DB).orElseThrow().outcome()).isEqualTo(GuardOutcome.STOPPED);
    }

    @Test
    @DisplayName("a start withdraws the intent of its app that could not be done yet: later crashes stop nothing")
    void startWithdraws() throws Exception {
        rig.sharing("a", "b");
        rig.stop("b");
        assertThat(rig.db().intent()).isPresent();
        assertThat(rig.start("b").outcome()).isEqualTo(GuardOutcome.STARTED);
        assertThat(rig.db().intent()).isEmpty();
        rig.apps.are(ProbeStatus.DOWN, "a", "b");
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("every decision is in the history of the lock")
    void history() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.stop("a");
        Await.until("it is noted", () -> !noted().isEmpty());
        assertThat(noted().get(0).event().reason()).contains("needed by b");
        assertThat(noted().get(0).event().metadata())
                .containsEntry("decision", "skipped_shared_active")
                .containsEntry("evidence", "a=DOWN b=UP(200)");
    }

    private List<EventLog.StoredEvent> noted() {
        return rig.locks.inspect().history(EventLog.EventQuery.newest(100)).stream()
                .filter(event -> event.event().type() == EventType.GUARD_DECISION)
                .toList();
    }

    @Test
    @DisplayName("each step is a line that people can read")
    void lines() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.stop("a");
        String told = String.join("\n", rig.lines);
        assertThat(told)
                .contains("Lock acquired for db=db1:5432, owner=")
                .contains("Processing postgres database: db1:5432")
                .contains("postgres shared with 2 application(s): a, b")
                .contains("a is DOWN")
                .contains("b is UP (HTTP 200)")
                .contains("postgres shared with active apps: b. Skipping stop.")
                .contains("db=db1:5432 skipped_shared_active: needed by b")
                .contains("Lock released for LOCK#DB#db1:5432, owner=");
        rig.apps.are(ProbeStatus.REFUSED, "b");
        rig.stop("b");
        assertThat(String.join("\n", rig.lines))
                .contains("All sharing applications are DOWN - stopping postgres database...");
    }

    @Test
    @DisplayName("quick status knows three words, and no unknown app")
    void quickStatus() throws Exception {
        rig.sharing("a");
        assertThat(rig.guard.status("a").get().status()).isEqualTo(QuickStatus.Word.UP);
        rig.apps.answers("a", ProbeStatus.DOWN, 401);
        assertThat(rig.guard.status("a").get().status()).isEqualTo(QuickStatus.Word.DOWN);
        assertThat(rig.guard.status("a").get().httpCode()).hasValue(401);
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.guard.status("a").get().status()).isEqualTo(QuickStatus.Word.UNKNOWN);
        for (String unknown : List.of("x", "", "../a", "a/b", ".a")) {
            assertThatThrownBy(() -> rig.guard.status(unknown)).isInstanceOf(UnknownAppException.class);
            assertThatThrownBy(() -> rig.guard.stop(unknown)).isInstanceOf(UnknownAppException.class);
            assertThatThrownBy(() -> rig.guard.start(unknown)).isInstanceOf(UnknownAppException.class);
            assertThat(rig.guard.unregister(unknown)).isFalse();
        }
    }

    @Test
    @DisplayName("two services on one machine are one resource: stopped when the users of both are down")
    void severalTypes() throws Exception {
        rig.guard.register(Rig.app("a", Rig.on("i-1", "postgres", "db1")));
        rig.guard.register(Rig.app("b", Rig.on("i-1", "neo4j", "db1")));
        rig.apps.are(ProbeStatus.REFUSED, "a");
        assertThat(rig.stop("a").outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        rig.apps.are(ProbeStatus.REFUSED, "b");
        assertThat(rig.stop("b").outcome()).isEqualTo(GuardOutcome.STOPPED);
        assertThat(rig.machines.acts()).containsExactly("stop i-1");
    }
}
