package dev.holdfast.server.notify;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.wire.EventJson;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Nothing has happened: somebody wants to know whether a message arrives. */
final class TestNotice {
    private TestNotice() {}

    static Notice of(String asker, Instant at) {
        LockEvent event = new LockEvent(
                EventType.QUEUED,
                Notifier.LOCK, // every event has one
                Scope.WHOLE,
                0,
                asker,
                Token.NONE,
                at,
                Duration.ZERO,
                asker,
                "a test",
                Map.of(),
                "");
        JsonText.Part fields = json -> EventJson.test(json, event);
        String sentence = "This is a test of Holdfast, asked for by " + asker + ". Nothing has happened";
        String identity = UUID.randomUUID().toString(); // no other test has it
        return new Notice(EventJson.TEST, event.key(), at, identity, sentence, fields, fields);
    }
}
