package dev.holdfast.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holder;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Token;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what is written about state is read back as it was")
class StateJsonTest {
    private static final Stack SHOP = new Stack("shop", "prod");
    private static final StateVersion VERSION = new StateVersion(
            SHOP,
            "20261116T110512.123456Z-k3f9ab12",
            7,
            Optional.of("l-1"),
            Instant.parse("2026-11-16T11:05:12.123456Z"),
            "alice",
            1_234,
            "ab12",
            "OperationTypeApply",
            Optional.of("an-id"),
            new Token(41));

    private static Json.Obj read(JsonText.Part members) {
        return AnswerFields.of(JsonText.object(members));
    }

    @Test
    @DisplayName("a version")
    void version() {
        assertThat(StateJson.version(SHOP, read(json -> StateJson.version(json, VERSION))))
                .contains(VERSION);
    }

    @Test
    @DisplayName(
            "a version in a header, in ASCII whatever its words are; one that is too long is left out, and what is none is none")
    void header() {
        StateVersion odd = new StateVersion(
                SHOP,
                VERSION.version(),
                7,
                Optional.of("l\r\n\u00e4\ud83d\ude00\u007f"),
                VERSION.savedAt(),
                "J\u00fcrgen",
                1_234,
                "ab12",
                "\u8a66",
                Optional.empty(),
                new Token(41));
        String header = StateJson.header(odd).orElseThrow();
        assertThat(header).matches("[ -~]+");
        assertThat(StateJson.header(SHOP, header)).contains(odd);
        StateVersion found = StateVersion.found(
                SHOP,
                "unversioned",
                Optional.empty(),
                Provenance.of("unknown", "found"),
                ("{\"lineage\":\"" + "x".repeat(10_000) + "\"}").getBytes(StandardCharsets.UTF_8));
        assertThat(StateJson.header(found)).isEmpty();
        assertThat(StateJson.header(SHOP, "nonsense")).isEmpty();
        assertThat(StateJson.header(SHOP, "{\"version\": \"v1\"}")).isEmpty();
    }

    @Test
    @DisplayName("a restored version and the one it was made from, unless the answer says less")
    void restored() {
        RestoreOutcome.Restored restored = new RestoreOutcome.Restored(
                VERSION,
                VERSION.named("20261115T110512.123456Z-k3f9ab12", Instant.parse("2026-11-15T11:05:12.123456Z")));
        assertThat(StateJson.restored(SHOP, read(json -> StateJson.restored(json, restored))))
                .contains(restored);
        assertThat(StateJson.restored(SHOP, read(json -> StateJson.version(json, VERSION))))
                .isEmpty();
    }

    @Test
    @DisplayName("a stack of a listing, with less of its version, and one without any")
    void items() {
        Json.Obj full = AnswerFields.of(JsonText.bytes(
                json -> StateJson.item(json, new StackPage.Item(SHOP, Optional.of(VERSION), List.of()))));
        assertThat(StateJson.stack(full)).isEqualTo(SHOP);
        assertThat(StateJson.version(SHOP, full).orElseThrow().savedAt()).isEqualTo(VERSION.savedAt());
        Json.Obj none = AnswerFields.of(
                JsonText.bytes(json -> StateJson.item(json, new StackPage.Item(SHOP, Optional.empty(), List.of()))));
        assertThat(StateJson.version(SHOP, none)).isEmpty();
    }

    @Test
    @DisplayName("a check, and a difference")
    void reports() {
        Verification found = new Verification(
                SHOP, 3, List.of(new Verification.Damage("v1", true, "its checksum is wrong")), Optional.of("v0"));
        assertThat(StateJson.verification(SHOP, read(json -> StateJson.verification(json, found))))
                .isEqualTo(found);
        StateDiff diff = new StateDiff(
                List.of(new StateDiff.ResourceChange(
                        "output.url",
                        StateDiff.Kind.CHANGED,
                        List.of(new StateDiff.Attribute("value", Optional.of("1"), Optional.empty())),
                        false)),
                true);
        assertThat(StateJson.changes(read(json -> StateJson.changes(json, diff))))
                .isEqualTo(diff);
    }

    @Test
    @DisplayName("a refusal: each reason by its label; without one, the usual, with who holds")
    void refusals() {
        for (StateRefusal.Reason reason : StateRefusal.Reason.values()) {
            Json.Obj told =
                    Json.object().with("reason", Json.of(reason.label())).with("detail", Json.of("why"));
            assertThat(StateJson.refused(SHOP, told, StateRefusal.Reason.LOCKED, "it"))
                    .isEqualTo(new StateRefusal(reason, "why", Optional.empty(), List.of()));
        }
        assertThat(StateJson.refused(
                                SHOP,
                                Json.object().with("Who", Json.of("bob")),
                                StateRefusal.Reason.LOCKED,
                                "it is locked")
                        .message())
                .isEqualTo("it is locked (bob)");
    }

    @Test
    @DisplayName("a refusal, with how the lease ended and who holds")
    void refusedByOthers() {
        Holder bob = new Holder(
                SHOP.lock(),
                List.of(LockPath.WHOLE),
                Mode.EXCLUSIVE,
                "bob",
                new Token(42),
                Instant.parse("2026-11-16T11:05:12.123Z"),
                Instant.parse("2026-11-16T11:05:13.123Z"),
                Optional.empty(),
                false,
                Map.of("Who", "bob@ci"),
                "apply");
        StateRefusal refusal =
                new StateRefusal(StateRefusal.Reason.NOT_HELD, "why", Optional.of(LostReason.EXPIRED), List.of(bob));
        Json.Obj told = read(json -> {
            json.writeStringField("detail", "why");
            json.writeStringField("reason", "not-held");
            for (Map.Entry<String, JsonText.Part> member :
                    StateJson.refusal(refusal).entrySet()) {
                json.writeFieldName(member.getKey());
                member.getValue().write(json);
            }
        });
        assertThat(StateJson.refused(SHOP, told, StateRefusal.Reason.LOCKED, "it"))
                .isEqualTo(refusal);
    }
}
