package dev.holdfast.server.notify;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.wire.EventJson;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Nothing has happened: somebody wants to know whether a message arrives.
 *
 * @param identity no other test has it
 */
record TestNotice(String asker, Instant at, String identity) implements Notice {
    @Override
    public String label() {
        return EventJson.TEST;
    }

    /** Every event has one. */
    @Override
    public RecordKey key() {
        return Notifier.LOCK;
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        EventJson.test(
                json,
                new LockEvent(
                        EventType.QUEUED,
                        key(),
                        Scope.WHOLE,
                        0,
                        asker,
                        Token.NONE,
                        at,
                        Duration.ZERO,
                        asker,
                        "a test",
                        Map.of(),
                        ""));
    }

    @Override
    public Notice shortened() {
        return this;
    }

    @Override
    public String sentence() {
        return "This is a test of Holdfast, asked for by " + asker + ". Nothing has happened";
    }
}
