package dev.holdfast.server.observe;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Events for tests. */
public final class Events {
    public static final LeaseId LEASE = new LeaseId("lease-of-alice");
    public static final Instant AT = Instant.parse("2024-01-15T14:25:42.1234Z");

    private Events() {}

    public static LockEvent event(EventType type, LockKey key, Duration lasted) {
        return event(type, key, lasted, "", Map.of());
    }

    public static LockEvent event(
            EventType type, LockKey key, Duration lasted, String reason, Map<String, String> metadata) {
        boolean waiter = type == EventType.QUEUED || type == EventType.ABANDONED;
        return new LockEvent(
                type,
                key.record(),
                Scope.of(key.path(), Mode.EXCLUSIVE),
                LEASE.fingerprint(),
                "alice",
                waiter ? Token.NONE : new Token(7),
                AT,
                lasted,
                type == EventType.FORCED ? "operator" : "alice",
                reason,
                metadata,
                type == EventType.ACQUIRED ? "req-1" : "");
    }

    /** One with this number, whatever it is. */
    public static StoredEvent some(long number) {
        return stored(number, event(EventType.ACQUIRED, LockKey.of("billing", "invoice-run"), Duration.ZERO));
    }

    public static StoredEvent stored(long number, LockEvent event) {
        return new StoredEvent(number, event);
    }
}
