package dev.holdfast.server.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.server.config.values.WebhookEntry;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.json.Json;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what a webhook is told")
class NoticeTest {
    private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
    private static final RecordKey KEY = new RecordKey("billing", "nightly");
    private static final Scope WHOLE = Scope.of(LockPath.WHOLE, Mode.EXCLUSIVE);

    private static Webhook hook(String id) {
        return new Webhook(
                id,
                URI.create("https://example.com/secret-path"),
                Optional.of("0123456789abcdef"),
                Set.of(NoticeKind.values()),
                List.of(),
                List.of(),
                Webhook.Format.JSON);
    }

    private static Notice notice(NoticeKind kind, EventType type, long number, Map<String, String> metadata) {
        return EventNotice.of(
                kind,
                new StoredEvent(
                        number,
                        new LockEvent(
                                type,
                                KEY,
                                WHOLE,
                                7,
                                "worker-1",
                                new Token(5),
                                NOON,
                                Duration.ofMinutes(61),
                                "ops",
                                "stuck",
                                metadata,
                                "")));
    }

    private static LongWait wait(int second) {
        LeaseId lease = LeaseId.ofBits(1, second);
        Instant since = NOON.plusSeconds(second);
        return new LongWait(
                KEY,
                new Waiter(lease, WHOLE, "bob", new EngineId("engine"), Duration.ZERO, since, false),
                since.plusSeconds(60),
                since.plusSeconds(90),
                List.of());
    }

    @Test
    @DisplayName("has one label for each kind, the same as in the configuration")
    void kinds() {
        assertThat(Stream.of(NoticeKind.values()).map(NoticeKind::label))
                .containsExactlyElementsOf(WebhookEntry.EVENTS);
        for (NoticeKind kind : NoticeKind.values()) {
            assertThat(NoticeKind.labelled(kind.label())).contains(kind);
        }
        assertThat(NoticeKind.of(EventType.ACQUIRED)).isEmpty();
    }

    @Test
    @DisplayName("is a sentence for people")
    void sentences() {
        assertThat(notice(NoticeKind.FORCED, EventType.FORCED, 1, Map.of()).sentence())
                .isEqualTo("Lock billing:nightly was taken from worker-1 by ops after 1h 1m (stuck)");
        assertThat(notice(NoticeKind.EXPIRED, EventType.EXPIRED, 1, Map.of()).sentence())
                .isEqualTo(
                        "Lock billing:nightly expired: worker-1 held it for 1h 1m and did not renew it in time (stuck)");
        assertThat(notice(NoticeKind.STALE, EventType.STALE, 1, Map.of()).sentence())
                .startsWith("Lock billing:nightly is held by worker-1, and has not been renewed");
        assertThat(notice(NoticeKind.LOST, EventType.LOST, 1, Map.of()).sentence())
                .isEqualTo("Lock billing:nightly was lost by worker-1 after 1h 1m (stuck)");
        assertThat(notice(
                                NoticeKind.DECISION,
                                EventType.GUARD_DECISION,
                                1,
                                Map.of("decision", "stopped", "db_identifier", "shop"))
                        .sentence())
                .isEqualTo("Guard: stopped for shop (stuck)");
        assertThat(wait(1).notice().sentence()).isEqualTo("bob has waited for lock billing:nightly for 1m 30s");
    }

    @Test
    @DisplayName("has an id that is the same each time, and another for each event, wait and webhook")
    void ids() {
        Notice one = notice(NoticeKind.FORCED, EventType.FORCED, 1, Map.of());
        assertThat(one.delivery(hook("a")))
                .isEqualTo(
                        notice(NoticeKind.FORCED, EventType.FORCED, 1, Map.of()).delivery(hook("a")))
                .isNotEqualTo(one.delivery(hook("b")))
                .isNotEqualTo(
                        notice(NoticeKind.FORCED, EventType.FORCED, 2, Map.of()).delivery(hook("a")));
        Notice later = new LongWait(
                        KEY, wait(1).waiter(), wait(1).due(), wait(1).seen().plusSeconds(5), List.of())
                .notice();
        assertThat(wait(1).notice().delivery(hook("a")))
                .isEqualTo(later.delivery(hook("a")))
                .isNotEqualTo(wait(2).notice().delivery(hook("a")));
    }

    @Test
    @DisplayName("fits into its bound: what callers wrote at length is left out, and the body says so")
    void bounded() {
        Notice usual = notice(NoticeKind.FORCED, EventType.FORCED, 1, Map.of("run", "4711"));
        Json whole = Json.parse(NoticeBody.of(usual, hook("a")));
        assertThat(whole.at("metadata", "run").plain()).isEqualTo("4711");
        assertThat(whole.at("shortened").isTrue()).isFalse();
        Notice huge = notice(NoticeKind.FORCED, EventType.FORCED, 1, Map.of("run", "x".repeat(70_000)));
        byte[] body = NoticeBody.of(huge, hook("a"));
        assertThat(body.length).isLessThan(NoticeBody.MAX_BYTES);
        Json cut = Json.parse(body);
        assertThat(cut.at("shortened").isTrue()).isTrue();
        assertThat(cut.at("metadata").members()).isEmpty();
        assertThat(cut.at("delivery_id").plain()).isEqualTo(huge.delivery(hook("a")));
    }

    @Test
    @DisplayName("has nothing in it that looks like a secret, though callers wrote it")
    void discreet() {
        Notice written = notice(
                NoticeKind.FORCED,
                EventType.FORCED,
                1,
                Map.of("api_key", "my key 4711", "call", "curl -H 'Bearer abcdef0123456789'", "run", "12"));
        Json body = Json.parse(NoticeBody.of(written, hook("a")));
        assertThat(body.at("metadata", "api_key").plain()).isEqualTo("***");
        assertThat(body.at("metadata", "call").plain()).doesNotContain("abcdef0123456789");
        assertThat(body.at("metadata", "run").plain()).isEqualTo("12");
        assertThat(body.at("reason").plain()).isEqualTo("stuck");
    }

    @Test
    @DisplayName("is signed as the page says")
    void signed() {
        // printf '1794996000.{}' | openssl dgst -sha256 -hmac 0123456789abcdef
        assertThat(DeliverySignature.of("0123456789abcdef", Instant.ofEpochSecond(1794996000L), new byte[] {'{', '}'}))
                .isEqualTo("t=1794996000,v1=425c7a512f41be3ac085039dce1fd9bed80878b2d5d5ae8c22d671971f7a4a27");
    }

    @Test
    @DisplayName("of long waits is what became long first; the next batch has the others, and none is left out")
    void batches() {
        List<LongWait> all =
                IntStream.range(0, 2_500).mapToObj(NoticeTest::wait).toList();
        Instant looked = NOON.plusSeconds(1_000_000);
        Instant told = NOON;
        int count = 0;
        for (int i = 0; i < 4; i++) {
            WaitBatch.Collector collector = new WaitBatch.Collector(hook("a"), told);
            all.forEach(collector::add);
            WaitBatch batch = collector.until(looked);
            assertThat(batch.waits()).hasSizeLessThanOrEqualTo(WaitBatch.MAX_WAITS);
            count += batch.waits().size();
            told = batch.until();
        }
        assertThat(told).isEqualTo(looked);
        assertThat(count).isBetween(2_500, 2_502); // one that ends a batch is told again, rather than not at all
        WaitBatch two = new WaitBatch(List.of(wait(1), wait(2)), looked);
        assertThat(two.toldAfter(0)).isAfterOrEqualTo(wait(1).due()).isBefore(wait(2).due());
        assertThat(two.toldAfter(1)).isEqualTo(looked);
    }

    @Test
    @DisplayName("is tried again later each time, up to a limit, and not before the receiver wants it")
    void pace() {
        NotifyOptions.Pace pace = NotifyOptions.Pace.USUAL;
        Random random = new Random(1);
        for (int attempts = 1; attempts < 100; attempts++) {
            long most = Math.min(300_000, 1_000L << Math.min(attempts - 1, 20));
            assertThat(pace.retryAfter(attempts, Optional.empty(), random).toMillis())
                    .isBetween(most / 2, most);
        }
        assertThat(pace.retryAfter(1, Optional.of(Duration.ofSeconds(30)), random))
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @DisplayName("does not show where to, or under which secret")
    void masked() {
        assertThat(hook("a").toString()).isEqualTo("webhook 'a'");
    }
}
