package dev.holdfast.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Lease;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.Cause;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.server.SideBySide;
import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.notify.WebhookServer.Delivery;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.testkit.Await;
import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("webhooks")
class NotifierTest {
    private static final AtomicInteger STORES = new AtomicInteger();

    @TempDir
    static Path directory;

    private String store = "";

    @BeforeEach
    void freshStore() {
        store = "sqlite:" + directory.resolve("locks-" + STORES.incrementAndGet() + ".db");
    }

    // ---- what is told

    @SideBySide
    @DisplayName("are told in order, signed, in the words of the events; and not of what nobody asked for")
    void told() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store).telling(receiver.hook("ops"))) {
            Instant before = Instant.now();
            world.force("billing", "nightly").force("billing", "weekly");
            world.engine
                    .remember(
                            new RecordKey("guard", "LOCK#DB#shop"),
                            Note.of(
                                    EventType.GUARD_DECISION,
                                    "node-1",
                                    "nobody uses it",
                                    Map.of("decision", "stopped", "db_identifier", "shop")),
                            Cause.OWNER)
                    .join();
            receiver.awaitTaken(3);

            assertThat(receiver.all())
                    .extracting(Delivery::event)
                    .containsExactly("lock.forced", "lock.forced", "guard.decision");
            assertThat(receiver.names()).containsExactly("nightly", "weekly", "LOCK#DB#shop");
            Delivery first = receiver.all().get(0);
            assertThat(first.text("event")).isEqualTo("lock.forced");
            assertThat(first.text("namespace")).isEqualTo("billing");
            assertThat(first.text("owner")).isEqualTo("worker");
            assertThat(first.text("reason")).isEqualTo("stuck");
            assertThat(first.text("level")).isEqualTo("WARN");
            assertThat(first.json().at("event_id").number()).isPresent();
            assertThat(first.text("delivery_id")).isEqualTo(first.id()).matches("[0-9a-f]{32}");
            assertThat(first.text("webhook")).isEqualTo("ops");
            assertThat(receiver.all()).extracting(Delivery::id).doesNotHaveDuplicates();
            assertThat(receiver.all()).allSatisfy(delivery -> {
                long at = Long.parseLong(delivery.signature().replaceFirst("t=([0-9]+),.*", "$1"));
                assertThat(Instant.ofEpochSecond(at)).isBetween(before.minusSeconds(2), Instant.now());
                assertThat(delivery.signature())
                        .isEqualTo(DeliverySignature.of(
                                WebhookServer.SECRET,
                                Instant.ofEpochSecond(at),
                                delivery.body().getBytes(StandardCharsets.UTF_8)));
            });
            Await.until("they are counted", () -> world.deliveries("ops", "delivered") == 3);
            assertThat(world.metric("holdfast_notify_lag_seconds{webhook=\"ops\"}"))
                    .isZero();
        }
    }

    @SideBySide
    @DisplayName("hear only of the kinds, namespaces and names they ask for")
    void filtered() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store)) {
            world.telling(new Webhook(
                    "few",
                    receiver.url(),
                    Optional.of(WebhookServer.SECRET),
                    Set.of(NoticeKind.FORCED),
                    List.of(new Glob("bill*")),
                    List.of(new Glob("night*"), new Glob("last")),
                    Webhook.Format.JSON));
            world.force("web", "nightly").force("billing", "weekly").force("billing", "nightly");
            world.client.acquire(
                    LockKey.of("billing", "nightly-2"),
                    o -> o.lease(Duration.ofMillis(100)).withoutRenewal());
            world.force("billing", "last");
            receiver.awaitTaken(2);
            assertThat(receiver.names()).containsExactly("nightly", "last");
        }
    }

    @SideBySide
    @DisplayName("hear of holds that ended or turned stale by time alone, though nobody sweeps")
    void time() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store, EngineConfig.DEFAULT.withStaleAfter(Duration.ofMillis(200)))
                        .telling(receiver.hook("ops"))) {
            world.client.acquire(
                    LockKey.of("a", "ends"),
                    o -> o.lease(Duration.ofMillis(100)).withoutRenewal());
            receiver.awaitTaken(1);
            world.engine
                    .acquire(new Request(
                            new RecordKey("a", "stays"),
                            world.engine.newLeaseId(),
                            Scope.of(LockPath.WHOLE, Mode.EXCLUSIVE),
                            "terraform",
                            new Terms(Times.FOREVER, Duration.ZERO, Duration.ZERO, Map.of(), "apply"),
                            Duration.ZERO,
                            Duration.ZERO))
                    .answer()
                    .join();
            receiver.awaitTaken(2);
            assertThat(receiver.all()).extracting(Delivery::event).containsExactly("lock.expired", "lock.stale");
            assertThat(receiver.names()).containsExactly("ends", "stays");
        }
    }

    @SideBySide
    @DisplayName("are told of each long wait once, across restarts, with who holds the lock")
    void waits() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store)) {
            NotifyOptions options = longer(Duration.ofMillis(300), receiver.hook("ops"));
            world.telling(options);
            try (Lease held = world.client.acquire(
                    LockKey.of("db", "main"), o -> o.owner("alice").reason("vacuum"))) {
                CompletableFuture<?> bob = world.client.acquireAsync(
                        held.key(), o -> o.owner("bob").waitUpTo(Duration.ofMinutes(5)));
                receiver.awaitTaken(1);
                Delivery wait = receiver.all().get(0);
                assertThat(wait.event()).isEqualTo("lock.waiting");
                assertThat(wait.text("event")).isEqualTo("lock.waiting");
                assertThat(wait.text("owner")).isEqualTo("bob");
                assertThat(wait.json().at("waited_ms").number().orElseThrow()).isGreaterThanOrEqualTo(300);
                assertThat(wait.json().at("event_id").isNull()).isTrue();
                assertThat(wait.json().at("holders").items()).singleElement().satisfies(holder -> {
                    assertThat(holder.at("owner").plain()).isEqualTo("alice");
                    assertThat(holder.at("reason").plain()).isEqualTo("vacuum");
                });
                Await.until("it is counted", () -> world.deliveries("ops", "delivered") == 1);
                world.quiet();
                world.telling(options);
                CompletableFuture<?> carol = world.client.acquireAsync(
                        held.key(), o -> o.owner("carol").waitUpTo(Duration.ofMinutes(5)));
                receiver.awaitTaken(2);
                assertThat(receiver.all()).extracting(it -> it.text("owner")).containsExactly("bob", "carol");
                bob.cancel(true);
                carol.cancel(true);
            }
        }
    }

    @SideBySide
    @DisplayName("in the format of Slack are told a sentence, in which nothing means anything to Slack")
    void slack() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store)
                        .telling(receiver.hook("chat", Set.of(NoticeKind.values()), Webhook.Format.SLACK))) {
            world.force("billing", "<!channel> & co");
            receiver.awaitTaken(1);
            assertThat(receiver.all().get(0).json().members()).containsOnlyKeys("text");
            assertThat(receiver.all().get(0).text("text"))
                    .startsWith("Lock billing:&lt;!channel&gt; &amp; co was taken from worker by ")
                    .endsWith(" after 0s (stuck)");
        }
    }

    // ---- receivers that fail

    @SideBySide
    @DisplayName("that are down are told everything in order once they are up, under the same ids, and hold up nobody")
    void down() throws Exception {
        try (WebhookServer broken = new WebhookServer().answering(503);
                WebhookServer fine = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store).telling(broken.hook("broken"), fine.hook("fine"))) {
            world.force("one").force("two");
            fine.awaitTaken(2);
            broken.awaitAttempts(3);
            assertThat(world.metric("holdfast_notify_lag_seconds{webhook=\"broken\"}"))
                    .isPositive();
            broken.answering(200);
            broken.awaitTaken(2);
            assertThat(broken.names()).containsExactly("one", "two");
            assertThat(broken.all().stream()
                            .filter(delivery -> delivery.text("name").equals("one"))
                            .map(Delivery::id)
                            .distinct())
                    .hasSize(1);
            assertThat(fine.all()).hasSize(2);
            assertThat(world.deliveries("broken", "retried")).isGreaterThanOrEqualTo(3);
            assertThat(world.deliveries("broken", "given_up")).isZero();
        }
    }

    @SideBySide
    @DisplayName("that never answer hold up nobody, and are hung up on")
    void silent() throws Exception {
        try (WebhookServer slow = new WebhookServer();
                WebhookServer fine = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store)) {
            slow.silent();
            NotifyOptions usual = NotifyWorld.options(slow.hook("slow"), fine.hook("fine"));
            world.telling(new NotifyOptions(
                    usual.webhooks(),
                    usual.waitsLongerThan(),
                    Duration.ofMillis(200),
                    usual.giveUpAfter(),
                    usual.pace()));
            world.force("one");
            fine.awaitTaken(1);
            slow.awaitAttempts(2);
            Await.until("it is counted", () -> world.deliveries("slow", "retried") >= 1);
        }
    }

    @SideBySide
    @DisplayName("that do not take something are given up after a time, which is counted; what follows is told")
    void tooOld() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store)) {
            receiver.answering(delivery -> delivery.text("name").equals("lost") ? 500 : 200);
            NotifyOptions usual = NotifyWorld.options(receiver.hook("ops"));
            world.telling(new NotifyOptions(
                    usual.webhooks(),
                    usual.waitsLongerThan(),
                    usual.timeout(),
                    Duration.ofMillis(1_500),
                    usual.pace()));
            world.force("lost");
            Await.until("it is given up", () -> world.deliveries("ops", "given_up") == 1);
            world.force("kept");
            receiver.awaitTaken(1);
            assertThat(receiver.names()).containsExactly("kept");
        }
    }

    @SideBySide
    @DisplayName(
            "that refuse something ten times are not asked any more; a redirect is not followed and counts as refused")
    void refused() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld world = NotifyWorld.on(store).telling(receiver.hook("ops"))) {
            receiver.answering(delivery -> switch (delivery.text("name")) {
                case "bad" -> 400;
                case "moved" -> 307;
                default -> 200;
            });
            world.force("bad").force("moved").force("good");
            receiver.awaitTaken(1);
            assertThat(receiver.names()).containsExactly("good");
            assertThat(receiver.all()).hasSize(2 * WebhookSender.MAX_REFUSALS + 1);
            Await.until("they are given up", () -> world.deliveries("ops", "given_up") == 2);
        }
    }

    // ---- at least once, by one at a time

    @SideBySide
    @DisplayName("are told again what was sent and not noted, under the same id, and nothing is missing")
    void diesBeforeTheNote() throws Exception {
        try (WebhookServer receiver = new WebhookServer()) {
            AtomicBoolean dead = new AtomicBoolean();
            try (NotifyWorld dying = NotifyWorld.on(store)) {
                dying.telling(
                        NotifyWorld.options(receiver.hook("ops")),
                        () -> new DyingDocuments(DocumentStores.open(store), dead));
                dying.force("one");
                receiver.awaitTaken(1);
                long one = receiver.all().get(0).json().at("event_id").number().orElseThrow();
                Await.until("one is noted", () -> notedUpTo() >= one);
                dead.set(true);
                dying.force("two");
                receiver.awaitTaken(2);
            }
            assertThat(receiver.names()).containsExactly("one", "two");
            try (NotifyWorld next = NotifyWorld.on(store).telling(receiver.hook("ops"))) {
                next.force("three");
                receiver.awaitTaken(4);
            }
            assertThat(receiver.names()).containsExactly("one", "two", "two", "three");
            assertThat(receiver.all().get(2).id())
                    .isEqualTo(receiver.all().get(1).id());
        }
    }

    private long notedUpTo() {
        try (DocumentStore positions = DocumentStores.open(store)) {
            return positions
                    .get("notify/ops")
                    .map(it -> Json.parse(it.content()).at("after").number().orElse(0))
                    .orElse(0L);
        }
    }

    @SideBySide
    @DisplayName("are told once each by two replicas, also when the one that tells stops")
    void replicas() throws Exception {
        try (WebhookServer receiver = new WebhookServer();
                NotifyWorld one = NotifyWorld.on(store).telling(receiver.hook("ops"));
                NotifyWorld other = NotifyWorld.on(store).telling(receiver.hook("ops"))) {
            one.force("a");
            other.force("b");
            receiver.awaitTaken(2);
            assertThat(one.isSender() != other.isSender()).isTrue();
            NotifyWorld sender = one.isSender() ? one : other;
            NotifyWorld next = one.isSender() ? other : one;
            sender.quiet();
            sender.force("c");
            Await.until("the other one takes over", next::isSender);
            next.force("d");
            receiver.awaitTaken(4);
            assertThat(receiver.names()).containsExactly("a", "b", "c", "d");
        }
    }

    private static NotifyOptions longer(Duration waits, Webhook webhook) {
        NotifyOptions usual = NotifyWorld.options(webhook);
        return new NotifyOptions(usual.webhooks(), waits, usual.timeout(), usual.giveUpAfter(), usual.pace());
    }

    /** Documents that cannot be written once their process is dead: nothing arrives any more. */
    private record DyingDocuments(DocumentStore real, AtomicBoolean dead) implements DocumentStore {
        @Override
        public String kind() {
            return real.kind();
        }

        @Override
        public long maxSize() {
            return real.maxSize();
        }

        @Override
        public boolean isAtomic() {
            return real.isAtomic();
        }

        @Override
        public Optional<DocumentHead> look(String name) {
            return real.look(name);
        }

        @Override
        public Optional<Document> get(String name) {
            return real.get(name);
        }

        @Override
        public WriteOutcome write(List<Change> changes) {
            if (dead.get()) {
                throw new OutcomeUnknownException("died", null);
            }
            return real.write(changes);
        }

        @Override
        public DocumentPage list(ListRequest request) {
            return real.list(request);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
