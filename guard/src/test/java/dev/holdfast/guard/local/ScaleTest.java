package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Condition;
import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A guard with much to watch")
class ScaleTest {
    @Test
    @DisplayName("looks at a hundred sharers at the same time")
    void hundredSharers() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (Rig rig = new Rig()) {
            CompletableFuture<Void> gate = new CompletableFuture<>();
            for (int i = 0; i < 100; i++) {
                rig.sharing("app" + i);
                rig.apps.hold("app" + i, gate);
            }
            Future<GuardDecision> stop = other.submit(() -> rig.stop("app7"));
            Await.until("all are being looked at", () -> rig.apps.probes.get() == 100);
            gate.complete(null);
            assertThat(stop.get().evidence()).hasSize(100);
        } finally {
            other.shutdownNow();
        }
    }

    /** As registered, written directly: what registering costs is not the question here. */
    static void thousand(Rig rig) {
        GuardDocuments documents = new GuardDocuments(rig.documents);
        for (int i = 0; i < 1_000; i++) {
            App app = Rig.registered(Rig.app("app" + i, Rig.use("postgres", "db" + i)));
            documents.write(List.of(
                    documents.put(app, Condition.absent()),
                    documents.put(
                            documents.resource("db" + i + ":5432"),
                            ResourceRecord.fresh("db" + i + ":5432").usedBy(List.of(app.name())))));
        }
    }

    @Test
    @DisplayName("does not read, write or lock what has nothing to do, and reads once what is blocked as before")
    void thousandResources() throws Exception {
        try (Rig rig = new Rig()) {
            thousand(rig);
            AtomicInteger uses = new AtomicInteger();
            LocalGuard watching = rig.on(
                    new StartDuringStopTest.Stepped(rig.documents, uses::incrementAndGet), rig.apps, rig.machines);
            watching.lookAround(); // learns the apps
            uses.set(0);
            watching.lookAround();
            assertThat(uses.get()).isLessThanOrEqualTo(4); // two listings
            assertThat(rig.apps.probes.get()).isZero();

            for (int i = 0; i < 100; i++) {
                rig.guard.stop("app" + i); // each still answers
            }
            watching.lookAround();
            int before = rig.counted.all.size();
            uses.set(0);
            watching.lookAround();
            assertThat(uses.get()).isLessThanOrEqualTo(4 + 100);
            assertThat(rig.counted.all).hasSize(before);
        }
    }
}
