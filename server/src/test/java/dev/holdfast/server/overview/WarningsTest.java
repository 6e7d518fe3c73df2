package dev.holdfast.server.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.wire.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("of what happened lately")
class WarningsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    private static StoredEvent event(
            long number, EventType type, String name, Duration ago, Duration lasted, String decision) {
        return new StoredEvent(
                number,
                new LockEvent(
                        type,
                        new RecordKey("a", name),
                        Scope.WHOLE,
                        number,
                        "worker",
                        Token.NONE,
                        NOW.minus(ago),
                        lasted,
                        "worker",
                        "",
                        decision.isEmpty() ? Map.of() : Map.of("decision", decision),
                        ""));
    }

    private static StoredEvent event(long number, EventType type, String name, String decision) {
        return event(number, type, name, Duration.ZERO, Duration.ZERO, decision);
    }

    @Test
    @DisplayName("what the guard does to look again is not told, but for its last decision about each database")
    void latest() {
        List<StoredEvent> newestFirst = List.of(
                event(9, EventType.RELEASED, "db1", ""),
                event(8, EventType.GUARD_DECISION, "db1", "needed"),
                event(7, EventType.ACQUIRED, "db1", ""),
                event(6, EventType.ACQUIRED, "x", ""),
                event(5, EventType.GUARD_DECISION, "db1", "needed"),
                event(4, EventType.FORCED, "db1", ""),
                event(3, EventType.RELEASED, "x", ""));
        assertThat(NotableEvents.of(newestFirst))
                .extracting(StoredEvent::number)
                .containsExactly(8L, 6L, 4L, 3L);
    }

    @Test
    @DisplayName("the newest of each kind about each lock is a warning; a later decision takes an earlier one back")
    void warnings() {
        List<StoredEvent> newestFirst = List.of(
                event(9, EventType.GUARD_DECISION, "db1", "stopped"),
                event(8, EventType.GUARD_DECISION, "db2", "needed"),
                event(7, EventType.GUARD_DECISION, "db1", "skipped_unknown"),
                event(6, EventType.EXPIRED, "x", ""),
                event(5, EventType.EXPIRED, "x", ""),
                event(4, EventType.STATE_REFUSED, "x", ""),
                event(3, EventType.ACQUIRED, "x", ""));
        assertThat(Warnings.of(newestFirst)).extracting(StoredEvent::number).containsExactly(8L, 6L, 4L);
    }

    @Test
    @DisplayName("lines tell how many held before, what was granted, and nothing where nothing is known")
    void lines() {
        List<LockEvent> events = List.of(
                        event(3, EventType.ACQUIRED, "x", Duration.ofSeconds(5), Duration.ofSeconds(4), ""),
                        event(2, EventType.QUEUED, "x", Duration.ofSeconds(9), Duration.ZERO, ""),
                        event(1, EventType.RELEASED, "x", Duration.ofSeconds(20), Duration.ofSeconds(90), ""))
                .stream()
                .map(StoredEvent::event)
                .toList();
        ActivityLines lines = new ActivityLines(events, NOW.minusSeconds(40), NOW, 3, 1);
        String json = new String(JsonText.object(lines::write), StandardCharsets.UTF_8);
        assertThat(json)
                .contains("\"wait_p99_ms\":4000,")
                .contains("\"held\":[null,")
                .contains(",null,3,2,3],\"waiting\"")
                .contains(",null,1,1,1],\"grants_per_second\"")
                .contains("null,0,0,0.067]")
                .contains("null,0,0,4000]");
    }
}
