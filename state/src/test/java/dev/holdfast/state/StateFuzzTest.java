package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deployer.DeployerState;
import dev.holdfast.state.document.DocumentScan;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.store.Attributes;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.testkit.fuzz.Fuzz;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("damaged input is taken, or refused in so many words:")
final class StateFuzzTest {
    private static final String TERRAFORM =
            "{\"version\":4,\"serial\":12,\"lineage\":\"l-1\",\"outputs\":{\"u\":{\"value\":\"a\","
                    + "\"sensitive\":true}},\"resources\":[{\"module\":\"module.n\",\"mode\":\"managed\",\"type\":\"db\",\"name\":\"a\","
                    + "\"instances\":[{\"index_key\":0,\"attributes\":{\"id\":\"x\",\"n\":[1,2.5e3,null]},\"sensitive_attributes\":"
                    + "[[{\"type\":\"get_attr\",\"value\":\"id\"}]]},{\"deposed\":\"d\"}]}]}";
    private static final String DEPLOYER =
            "{\"format_version\":\"deployer-state-v1\",\"metadata\":{\"stack\":\"s\"},\"resources\":"
                    + "{\"users/api\":{\"kind\":\"k\",\"status\":\"ready\"}},\"outputs\":{\"a\":1},\"deployment_history\":[]}";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("times, which contain the time they are shown as")
    void times() {
        Fuzz.of("2026-11-16", "2026-11-16T11:05", "2026-11-16T11:05:12Z", "2026-11-16 12:05:12.123456+01:00")
                .run(PointInTime::parse, IllegalArgumentException.class, time -> {
                    assertThat(time.until()).isAfter(time.from());
                    if (time.from().toString().matches("\\d{4}-.*")) { // else a year nobody can type
                        assertThat(PointInTime.parse(time.toString()).from()).isEqualTo(time.from());
                    }
                });
    }

    @Test
    @DisplayName("keys of deployments, which are read again as they are written")
    void deployKeys() {
        Fuzz.of("stack:shop:env:prod", "stack:shop:env:prod:service:users", "stack:s:env:e:component:users/api")
                .run(
                        DeployKey::parse,
                        IllegalArgumentException.class,
                        key -> assertThat(DeployKey.parse(key.toString())).isEqualTo(key));
    }

    @Test
    @DisplayName("JSON, which means the same when it is written and read again")
    void json() {
        Fuzz.of(TERRAFORM, DEPLOYER, "[1,\"a\\u00e9\",true,null,{\"b\":-0.0}]", "\"x\"")
                .run(text -> Json.parse(bytes(text)), InvalidJsonException.class, value -> {
                    assertThat(Json.parse(value.bytes())).isEqualTo(value);
                    assertThat(Json.parse(value.canonical()).canonical()).isEqualTo(value.canonical());
                });
    }

    @Test
    @DisplayName(
            "states, whose serial can be changed and nothing else with it, and which do not differ from themselves")
    void states() {
        Fuzz.of(TERRAFORM, DEPLOYER)
                .run(text -> DocumentScan.of(bytes(text)) == null ? "" : text, StateInvalidException.class, text -> {
                    byte[] state = bytes(text);
                    DocumentScan scan = DocumentScan.of(state);
                    byte[] next = scan.withSerial(state, 4711);
                    assertThat(DocumentScan.of(next).serial())
                            .isEqualTo(scan.serial().map(old -> 4711L));
                    assertThat(DocumentScan.of(next).lineage()).isEqualTo(scan.lineage());
                    assertThat(StateDiff.between(state, state).isEmpty()).isTrue();
                    StateDiff.between(bytes(TERRAFORM), state);
                    StateDiff.between(state, bytes(DEPLOYER));
                });
    }

    @Test
    @DisplayName("states of deployers")
    void deployerStates() {
        Fuzz.of(DEPLOYER, TERRAFORM)
                .run(
                        text -> DeployerState.parse(bytes(text)),
                        StateInvalidException.class,
                        state -> assertThat(DeployerState.parse(state.toBytes()).toBytes())
                                .isEqualTo(state.toBytes()));
    }

    @Test
    @DisplayName("texts beside a document, which come back as they went in")
    void attributes() {
        Fuzz.of("alice", "ünï 100% %41", " a ", "\ud83d\ude00").run(text -> {
            String whole = new String(bytes(text), StandardCharsets.UTF_8); // half a character cannot be kept
            assertThat(Attributes.decoded(Attributes.encoded(whole))).isEqualTo(whole);
            assertThat(Attributes.encoded(whole)).matches("[ -~]*");
            Attributes.decoded(text);
        });
    }
}
