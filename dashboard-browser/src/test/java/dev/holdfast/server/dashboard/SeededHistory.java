package dev.holdfast.server.dashboard;

import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A past that a server remembers, written before it starts. Times are told as how long ago. */
final class SeededHistory {
    private static final int AT_ONCE = 1_000;

    private final Instant now = Instant.now();
    private final List<StoredEvent> events = new ArrayList<>();

    /** A hold that has ended, of which both ends are known. */
    SeededHistory hold(String name, String owner, Duration ago, Duration lasted, Duration waited, EventType end) {
        long token = events.size() + 1L;
        Instant ended = now.minus(ago);
        if (!waited.isNegative()) {
            add(EventType.ACQUIRED, name, owner, owner, token, ended.minus(lasted), waited, "routine");
        }
        String actor = end == EventType.FORCED ? "anna" : owner;
        String reason = end == EventType.FORCED ? owner + " was deleted" : "routine";
        add(end, name, owner, actor, token, ended, lasted, reason);
        return this;
    }

    /** Only its end, as when the rest is long forgotten. */
    SeededHistory end(String name, String owner, Duration ago, Duration lasted, EventType end) {
        return hold(name, owner, ago, lasted, Duration.ofMillis(-1), end);
    }

    /** Somebody who waited in vain. */
    SeededHistory gaveUp(String name, String owner, Duration ago, Duration waited) {
        add(EventType.ABANDONED, name, owner, owner, 0, now.minus(ago), waited, "");
        return this;
    }

    private void add(
            EventType type,
            String name,
            String owner,
            String actor,
            long token,
            Instant at,
            Duration lasted,
            String reason) {
        RecordKey key = new RecordKey(name.startsWith("deploy-") ? "deploy" : "jobs", name);
        LockEvent event = new LockEvent(
                type,
                key,
                Scope.WHOLE,
                token,
                owner,
                token == 0 ? Token.NONE : new Token(token),
                at,
                lasted,
                actor,
                reason,
                Map.of("git_commit", "4f2a91c"),
                "request-" + events.size());
        events.add(new StoredEvent(events.size() + 1L, event));
    }

    /** A server with this past. */
    HoldfastServer serve() {
        MemoryStore store = MemoryStore.exclusive();
        for (int i = 0; i < events.size(); i += AT_ONCE) {
            store.importAll(List.copyOf(events.subList(i, Math.min(events.size(), i + AT_ONCE))))
                    .toCompletableFuture()
                    .join();
        }
        return HoldfastServer.start(
                ServerSetup.of(Settings.load(
                        List.of("--server.port=0", "--store=memory:"), Map.of(), Path.of("no-such-directory"))),
                store,
                List.of());
    }
}
