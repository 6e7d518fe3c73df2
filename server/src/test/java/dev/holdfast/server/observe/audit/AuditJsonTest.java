package dev.holdfast.server.observe.audit;

import static dev.holdfast.server.observe.Events.event;
import static dev.holdfast.server.observe.Events.stored;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.server.observe.Events;
import dev.holdfast.wire.EventJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditJsonTest {
    private static final LockKey JOB = LockKey.of("billing", "invoice-run");

    @Test
    @DisplayName("an event is one object with every field, in the order of the contract")
    void acquired() {
        LockEvent event = event(
                EventType.ACQUIRED,
                JOB.at("eu/de"),
                Duration.ofMillis(1_250),
                "month end",
                new TreeMap<>(Map.of("git", "a1b2", "user", "alice@example.com")));

        assertThat(AuditJson.of(stored(42, event)))
                .isEqualTo("{\"timestamp\":\"2024-01-15T14:25:42.123Z\",\"level\":\"INFO\",\"event\":\"lock.acquired\","
                        + "\"event_id\":42,\"namespace\":\"billing\",\"name\":\"invoice-run\",\"path\":\"eu/de\","
                        + "\"lock_key\":\"billing:invoice-run/eu/de\",\"lock_id\":\"" + fingerprint() + "\","
                        + "\"fencing_token\":7,\"owner\":\"alice\",\"locked_by\":\"alice\",\"actor\":\"alice\",\"reason\":\"month end\","
                        + "\"waited_ms\":1250,\"held_ms\":null,\"duration_seconds\":null,"
                        + "\"metadata\":{\"git\":\"a1b2\",\"user\":\"alice@example.com\"},\"request_id\":\"req-1\"}");
    }

    @Test
    @DisplayName("an end tells how long it was held, and by whom it was ended")
    void forced() {
        assertThat(AuditJson.of(stored(43, event(EventType.FORCED, JOB, Duration.ofSeconds(342), "stuck", Map.of()))))
                .contains(
                        "\"level\":\"WARN\",\"event\":\"lock.forced\"",
                        "\"path\":\"\",\"lock_key\":\"billing:invoice-run\"",
                        "\"locked_by\":\"alice\",\"actor\":\"operator\",\"reason\":\"stuck\"",
                        "\"waited_ms\":null,\"held_ms\":342000,\"duration_seconds\":342,\"metadata\":{},\"request_id\":null}");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("levels and times by kind of event")
    @CsvSource({
        "ACQUIRED, INFO, 1500, null",
        "RELEASED, INFO, null, 1.5",
        "EXPIRED, WARN, null, 1.5",
        "LOST, WARN, null, 1.5",
        "FORCED, WARN, null, 1.5",
        "QUEUED, INFO, null, null",
        "ABANDONED, INFO, 1500, null",
        "STALE, WARN, null, null"
    })
    void kinds(EventType type, String level, String waited, String held) {
        assertThat(AuditJson.of(stored(1, event(type, JOB, Duration.ofMillis(1_500)))))
                .contains("\"level\":\"" + level + "\"")
                .contains("\"waited_ms\":" + waited + ",\"held_ms\":" + (held.equals("null") ? held : "1500")
                        + ",\"duration_seconds\":" + held + ",");
    }

    @Test
    @DisplayName("who waits has no token yet, and an empty reason is null")
    void queued() {
        assertThat(AuditJson.of(stored(1, event(EventType.QUEUED, JOB, Duration.ZERO))))
                .contains("\"fencing_token\":null", "\"reason\":null");
    }

    @ParameterizedTest(name = "{0} at ''{1}'' is {2}")
    @DisplayName("in namespace deploy the key is spelled as the deployer's documents do")
    @CsvSource({
        "stack:shop:env:prod, '', stack:shop:env:prod",
        "stack:shop:env:prod, api, stack:shop:env:prod:service:api",
        "stack:shop:env:prod, api/web, stack:shop:env:prod:component:api/web",
        "nightly, api, deploy:nightly/api"
    })
    void deployKeys(String name, String path, String expected) {
        LockKey key = LockKey.of("deploy", name).at(path);

        assertThat(AuditJson.of(stored(1, event(EventType.RELEASED, key, Duration.ZERO))))
                .contains("\"lock_key\":\"" + expected + "\"");
    }

    @Test
    @DisplayName("parts taken together are listed with commas")
    void severalPaths() {
        LockEvent one = event(EventType.RELEASED, JOB, Duration.ZERO);
        LockEvent both = new LockEvent(
                one.type(),
                one.key(),
                new Scope(List.of(LockPath.of("b"), LockPath.of("a")), Mode.EXCLUSIVE),
                one.lease(),
                one.owner(),
                one.token(),
                one.at(),
                one.lasted(),
                one.actor(),
                one.reason(),
                one.metadata(),
                one.request());

        assertThat(AuditJson.of(stored(1, both)))
                .contains("\"path\":\"a,b\",\"paths\":[\"a\",\"b\"],\"lock_key\":\"billing:invoice-run/a,b\"");
    }

    @Test
    @DisplayName("metadata cannot break out of its line")
    void oneLine() {
        LockEvent event = event(
                EventType.ACQUIRED, JOB, Duration.ZERO, "", Map.of("note", "a\n{\"event\":\"lock.forced\"}\r\u0000\""));

        assertThat(AuditJson.of(stored(1, event)))
                .contains("{\"note\":\"a\\n{\\\"event\\\":\\\"lock.forced\\\"}\\r\\u0000\\\"\"}")
                .doesNotContain("\n", "\r");
    }

    @Test
    @DisplayName("the lease id is not told, only its fingerprint")
    void noLeaseId() {
        assertThat(AuditJson.of(stored(1, event(EventType.ACQUIRED, JOB, Duration.ZERO))))
                .doesNotContain(Events.LEASE.value())
                .contains("\"lock_id\":\"" + fingerprint() + "\"");
    }

    @Test
    @DisplayName("written into another document it is the same object")
    void intoAGenerator() throws IOException {
        var event = stored(5, event(EventType.LOST, JOB, Duration.ofMillis(10)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartArray();
            EventJson.write(json, event);
            json.writeEndArray();
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("[" + AuditJson.of(event) + "]");
    }

    private static String fingerprint() {
        return String.format("%016x", Events.LEASE.fingerprint());
    }
}
