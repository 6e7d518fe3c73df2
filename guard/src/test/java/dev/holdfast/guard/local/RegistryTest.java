package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.guard.App;
import dev.holdfast.guard.AppsYaml;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.InvalidAppException;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.probe.Prober;
import dev.holdfast.guard.registry.DocumentFormat;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The registry of apps")
class RegistryTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    @DisplayName("keeps what it was given, in canonical form, with a version that grows with each change only")
    void versions() throws Exception {
        App first = rig.guard
                .register(Rig.app("shop", Rig.on("I-1", "PostgreSQL", "DB1.")))
                .app();
        assertThat(first.version()).isEqualTo(1);
        assertThat(first.databases()).singleElement().hasToString("postgres db1:5432");
        assertThat(rig.another().app("shop")).isEqualTo(first);
        assertThat(rig.guard
                        .register(Rig.app("shop", Rig.on("i-1", "postgres", "db1:5432")))
                        .app()
                        .version())
                .isEqualTo(1);
        Registration wished = new Registration("shop", "http://shop/", List.of(), Optional.of("running"));
        assertThat(rig.guard.register(wished).app().version()).isEqualTo(2);
        assertThat(rig.guard.register(Rig.app("shop")).app().desired())
                .isEqualTo(DesiredState.RUNNING); // not said: as it is
        assertThat(rig.guard.unregister("shop")).isTrue();
        assertThat(rig.guard.apps()).isEmpty();
        assertThat(rig.guard.resources()).isEmpty();
    }

    @Test
    @DisplayName("loses no registration when many come at once, for the same resource and for the same app")
    void concurrent() throws Exception {
        ExecutorService many = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String name = "app" + i % 20;
                LocalGuard guard = rig.another();
                done.add(many.submit(() -> guard.register(Rig.app(name, Rig.use("postgres", "db1")))));
            }
            for (Future<?> one : done) {
                one.get();
            }
        } finally {
            many.shutdownNow();
        }
        assertThat(rig.guard.apps()).hasSize(20);
        assertThat(rig.db().apps()).hasSize(20);
    }

    @Test
    @DisplayName("joins what turns out to be one thing, and takes the intent along")
    void joins() throws Exception {
        rig.guard.register(Rig.app("b", Rig.use("postgres", "db1")));
        rig.stop("b"); // it still answers
        assertThat(rig.db().intent()).isPresent();

        rig.guard.register(Rig.app("a", Rig.on("i-1", "postgres", "db1")));
        assertThat(rig.guard.resource(Rig.DB)).isEmpty();
        ResourceView joined = rig.guard.resource("i-1").orElseThrow();
        assertThat(joined.apps()).extracting(ResourceView.User::app).containsExactly("a", "b");
        assertThat(joined.intent()).isPresent();
        rig.apps.are(ProbeStatus.REFUSED, "b");
        assertThat(rig.guard.reconcile(Rig.DB)).isEmpty();
        rig.apps.are(ProbeStatus.DOWN, "a");
        rig.guard.reconcile("i-1");
        rig.guard.reconcile("i-1");
        assertThat(rig.machines.acts()).containsExactly("stop i-1");
    }

    @Test
    @DisplayName("does not rename a resource that is just being judged under its old name")
    void noRenameUnderTheLock() throws Exception {
        rig.guard.register(Rig.app("b", Rig.use("postgres", "db1")));
        Attempt<Lease> judging = rig.locks.tryAcquire(ResourceLeases.key(Rig.DB), o -> {});
        assertThatThrownBy(() -> rig.guard.register(Rig.app("a", Rig.on("i-1", "postgres", "db1"))))
                .isInstanceOf(GuardBusyException.class)
                .hasMessageContaining(Rig.DB);
        assertThat(rig.guard.apps()).extracting(App::name).containsExactly("b");
        judging.orThrow().close();
        rig.guard.register(Rig.app("a", Rig.on("i-1", "postgres", "db1")));
        assertThat(rig.guard.resources()).extracting(ResourceView::dbIdentifier).containsExactly("i-1");
    }

    @Test
    @DisplayName("an app that registers while a stop is decided is counted: the stop looks again")
    void registersDuringAStop() throws Exception {
        rig.sharing("a");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        LocalGuard other = rig.another();
        boolean[] came = {false};
        LocalGuard stopper = rig.on(
                rig.documents,
                new Prober() {
                    @Override
                    public java.util.concurrent.CompletableFuture<ProbeResult> probe(
                            java.net.URI url, java.time.Duration timeout) {
                        if (!came[0]) {
                            came[0] = true;
                            registerOn(other, Rig.app("new", Rig.use("postgres", "db1")));
                        }
                        return rig.apps.probe(url, timeout);
                    }

                    @Override
                    public void close() {}
                },
                rig.machines);
        assertThat(Rig.only(stopper.stop("a")).outcome()).isEqualTo(GuardOutcome.SKIPPED_SHARED_ACTIVE);
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("two that register at the same moment and share without knowing it are both known to what they share")
    void lateNeighbours() throws Exception {
        LocalGuard other = rig.another();
        int[] uses = {0};
        LocalGuard slow = rig.on(
                new StartDuringStopTest.Stepped(rig.documents, () -> {
                    if (uses[0]++ == 3) { // it has read, and not yet written
                        registerOn(other, Rig.app("a", Rig.on("i-1", "postgres", "db1")));
                    }
                }),
                rig.apps,
                rig.machines);
        slow.register(Rig.app("b", Rig.use("postgres", "db1")));
        assertThat(rig.guard.apps()).hasSize(2);
        assertThat(new GuardDocuments(rig.documents).resource("i-1").value().apps())
                .containsExactly("a", "b");
    }

    private static void registerOn(LocalGuard guard, Registration registration) {
        try {
            guard.register(registration);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("a stored document that cannot be read is an error that names it, never an app that is not there")
    void damaged() throws Exception {
        rig.sharing("a", "b");
        rig.apps.are(ProbeStatus.REFUSED, "a");
        rig.documents.write(Change.put(
                "guard/apps/b.json", Condition.none(), "{\"format\":1,".getBytes(StandardCharsets.UTF_8), Map.of()));
        assertThatThrownBy(() -> rig.guard.stop("a"))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("guard/apps/b.json");
        assertThat(rig.machines.acts()).isEmpty();
    }

    @Test
    @DisplayName("apps come from YAML, all or none")
    void yaml() throws Exception {
        rig.guard.registerAll(AppsYaml.parse("""
                apps:
                  shop:
                    url: http://shop/
                    desired: running
                    databases:
                      - {type: postgres, host: "db1:5432", instance_id: i-1, actuator: log}
                      - {type: neo4j, host: db2}
                  blog:
                    url: http://blog/
                """));
        assertThat(rig.guard.apps()).extracting(App::name).containsExactly("blog", "shop");
        assertThat(rig.guard.resources()).extracting(ResourceView::dbIdentifier).containsExactly("db2:7687", "i-1");

        assertThatThrownBy(() -> AppsYaml.parse("apps:\n  x:\n    uri: 1\n    databases: 7\n  y: []\nmore: 1\n"))
                .isInstanceOfSatisfying(
                        InvalidAppException.class, e -> assertThat(e.problems()).hasSize(4));
        List<Registration> half = AppsYaml.parse("apps:\n  good: {url: http://x/}\n  bad: {url: nonsense}\n");
        assertThatThrownBy(() -> rig.guard.registerAll(half)).hasMessageContaining("app 'bad'");
        assertThat(rig.guard.apps()).hasSize(2);
        for (String text : List.of("", "a: [", "- 1", "&a [*a]", "apps: {a: &x {url: u}, b: *x}\n", "apps: 3")) {
            assertThatThrownBy(() -> AppsYaml.parse(text)).as(text).isInstanceOf(InvalidAppException.class);
        }
    }

    @Test
    @DisplayName("decisions are kept in bounds, with everything about them")
    void storedForm() {
        ResourceRecord resource =
                ResourceRecord.fresh("[0:0:0:0:0:0:0:1]:5432").wanted(new Intent("a", java.time.Instant.EPOCH));
        for (int i = 0; i < 80; i++) {
            resource = resource.decided(new GuardDecision(
                    resource.id(),
                    GuardOutcome.SKIPPED_UNKNOWN,
                    "reason " + i + " \u00e9\u2603 \"quoted\"",
                    List.of(new Evidence("a", "UP", java.util.OptionalInt.of(200), java.time.Instant.EPOCH)),
                    "a",
                    java.time.Instant.EPOCH,
                    7,
                    i % 2 == 0));
        }
        assertThat(resource.decisions()).hasSize(ResourceRecord.MAX_DECISIONS);
        assertThat(resource.decisions().get(0).reason()).startsWith("reason 79");
        assertThat(DocumentFormat.readResource("x", DocumentFormat.write(resource)))
                .isEqualTo(resource);
    }
}
