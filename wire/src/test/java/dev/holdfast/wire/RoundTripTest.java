package dev.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Done;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written is read back as it was. */
class RoundTripTest {
    private static final RecordKey KEY = new RecordKey("billing", "invoice-run");
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.089Z");

    private static Json.Obj read(byte[] bytes) {
        return AnswerFields.of(bytes);
    }

    private static Holder holder(Mode mode, Optional<Instant> end, String... paths) {
        List<LockPath> all = List.of(paths).stream().map(LockPath::of).toList();
        Map<String, String> metadata = Map.of("job", "7 \u00fc");
        return new Holder(
                new LockKey(KEY, all.get(0)),
                all,
                mode,
                "worker-7",
                new Token(41),
                NOW,
                NOW.plusSeconds(1),
                end,
                true,
                metadata,
                "deploys");
    }

    @Test
    @DisplayName("a lock with holders, waiters and completed work")
    void lock() {
        LockView lock = new LockView(
                KEY,
                List.of(
                        holder(Mode.EXCLUSIVE, Optional.empty(), "a", "b/c"),
                        holder(Mode.permit(3), Optional.of(NOW.plusSeconds(30)), "")),
                List.of(new LockView.Waiting(1, "other", NOW, Mode.SHARED, List.of(LockPath.WHOLE))),
                new Token(42),
                Optional.of(new Done("2026-03", "worker-1", new Token(40), NOW)),
                NOW.plusSeconds(2));
        assertThat(LockJson.lock(read(JsonText.bytes(json -> LockJson.lock(json, lock)))))
                .isEqualTo(lock);
    }

    @Test
    @DisplayName("a free lock")
    void free() {
        LockView lock = new LockView(KEY, List.of(), List.of(), Token.NONE, Optional.empty(), NOW);
        assertThat(LockJson.lock(read(JsonText.bytes(json -> LockJson.lock(json, lock)))))
                .isEqualTo(lock);
    }

    @Test
    @DisplayName("a hold that was granted, and what a renewal makes of it")
    void lease() {
        Hold hold = hold();
        Request asked = new Request(
                KEY,
                hold.leaseId(),
                hold.scope(),
                hold.owner(),
                hold.terms(),
                Duration.ZERO,
                Duration.ZERO,
                Cause.OWNER);
        Json.Obj told = read(JsonText.object(json -> LeaseJson.granted(json, KEY, hold)));
        assertThat(LeaseJson.granted(asked, told, hold.renewedAt())).isEqualTo(hold);

        Hold renewed =
                hold.claimed(hold.terms().withLease(Duration.ofMinutes(2)), NOW.plusSeconds(9), NOW.plusSeconds(129));
        Json.Obj result = read(JsonText.bytes(
                json -> LeaseJson.result(json, hold.leaseId(), "renewed", more -> LeaseJson.renewed(more, renewed))));
        assertThat(LeaseJson.outcome(result)).isEqualTo("renewed");
        assertThat(LeaseJson.renewed(hold, result)).isEqualTo(renewed);
    }

    private static Hold hold() {
        return new Hold(
                new LeaseId("0123456789abcdef"),
                new Scope(List.of(LockPath.of("a"), LockPath.of("b")), Mode.EXCLUSIVE),
                "worker-7",
                new Token(41),
                NOW,
                NOW,
                NOW.plusSeconds(30),
                Terms.of(Duration.ofSeconds(30)),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    @Test
    @DisplayName("a hold as others see it is a holder without the lease id")
    void holds() {
        Json.Obj told = read(JsonText.object(json -> {
            json.writeFieldName("holders");
            LockJson.holds(json, List.of(hold()));
        }));
        Holder seen = LockJson.holders(told, KEY).get(0);
        assertThat(seen.paths()).isEqualTo(hold().scope().paths());
        assertThat(seen.token()).isEqualTo(hold().token());
        assertThat(seen.expiresAt()).contains(hold().expiresAt());
        assertThat(told.objects("holders").get(0).get("lease_id")).isEmpty();
    }

    @Test
    @DisplayName("every way in which a lease ends; a word of a newer server is unknown")
    void reasons() {
        for (LostReason reason : LostReason.values()) {
            Json.Obj told = Json.object().with("reason", Json.of(LeaseJson.label(reason)));
            assertThat(LeaseJson.reason(told)).isEqualTo(reason);
        }
        assertThat(LeaseJson.reason(Json.object().with("reason", Json.of("evaporated"))))
                .isEqualTo(LostReason.UNKNOWN);
    }

    @Test
    @DisplayName("every kind of event; one of a newer server is left out")
    void events() {
        for (EventType type : EventType.values()) {
            boolean lasts = List.of(
                            EventType.ACQUIRED,
                            EventType.ABANDONED,
                            EventType.RELEASED,
                            EventType.EXPIRED,
                            EventType.LOST,
                            EventType.FORCED)
                    .contains(type);
            LockEvent event = new LockEvent(
                    type,
                    KEY,
                    new Scope(List.of(LockPath.of("a"), LockPath.of("b")), Mode.EXCLUSIVE),
                    -2L,
                    "worker-7",
                    new Token(41),
                    NOW,
                    lasts ? Duration.ofMillis(1_250) : Duration.ZERO,
                    "admin",
                    "stuck",
                    Map.of("k", "v"),
                    "request-1");
            StoredEvent stored = new StoredEvent(7, event);
            assertThat(EventJson.read(read(JsonText.bytes(json -> EventJson.write(json, stored)))))
                    .as(type.label())
                    .contains(stored);
        }
        assertThat(EventJson.read(Json.object().with("event", Json.of("lock.painted"))))
                .isEmpty();
    }

    @Test
    @DisplayName(
            "the parts of an event, also with commas in their names; and as an older server tells them, without a list")
    void partsOfAnEvent() {
        for (List<String> parts : List.of(List.of(""), List.of("eu,eu"), List.of("a,b"), List.of("a,b", "c"))) {
            StoredEvent stored = acquired(parts);
            assertThat(EventJson.read(read(JsonText.bytes(json -> EventJson.write(json, stored)))))
                    .as(parts.toString())
                    .contains(stored);
        }
        Json.Obj plain = read(JsonText.bytes(json -> EventJson.write(json, acquired(List.of("")))));
        assertThat(EventJson.read(plain.with("path", Json.of("a,b")))).contains(acquired(List.of("a", "b")));
        assertThat(EventJson.read(plain.with("path", Json.of("eu,eu")))).contains(acquired(List.of("eu,eu")));
    }

    private static StoredEvent acquired(List<String> parts) {
        Scope scope = new Scope(parts.stream().map(LockPath::of).toList(), Mode.EXCLUSIVE);
        return new StoredEvent(
                7,
                new LockEvent(
                        EventType.ACQUIRED,
                        KEY,
                        scope,
                        -2L,
                        "worker-7",
                        new Token(41),
                        NOW,
                        Duration.ofMillis(1_250),
                        "worker-7",
                        "",
                        Map.of(),
                        "request-1"));
    }

    @Test
    @DisplayName("a field that is missing is named, and so is an answer that is no object")
    void missing() {
        assertThatThrownBy(() -> LockJson.lock(Json.object()))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("'namespace' is missing");
        assertThatThrownBy(() -> read("[]".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .isInstanceOf(StoreUnusableException.class);
    }

    @Test
    @DisplayName("a problem, with all that is wrong and when to ask again")
    void problem() {
        ProblemJson told = new ProblemJson(
                400, "invalid-request", "a; b", List.of("a", "b"), Optional.of(Duration.ofMillis(1_500)));
        Json.Obj document = read(JsonText.object(json -> told.write(json, "Bad Request", "request-7")));
        assertThat(document.text("type")).contains("urn:holdfast:problem:invalid-request");
        assertThat(document.text("request_id")).contains("request-7");
        assertThat(ProblemJson.read(400, document)).isEqualTo(told);
    }

    @Test
    @DisplayName("of an answer that is no problem of ours only the status is told")
    void problemOfAnother() {
        ProblemJson other = ProblemJson.read(502, Json.object());
        assertThat(other.code()).isEmpty();
        assertThat(other.errors()).containsExactly("the server answered 502");
    }
}
