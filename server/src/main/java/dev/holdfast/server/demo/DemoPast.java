package dev.holdfast.server.demo;

import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.wire.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has happened before a demo starts: a store in memory with an hour of history, a migration somebody forgot, and a deployment
 * whose runner died. The holds are granted by the rules, on a clock that is behind; the history is imported, as when a store is moved.
 */
public final class DemoPast {
    static final Duration LENGTH = Duration.ofHours(1);

    static final LockKey MIGRATION = LockKey.of("catalog", "schema-migration");
    static final Stack DEAD_STACK = new Stack("network", "prod");

    private static final Duration FORGOTTEN_SINCE = Duration.ofMinutes(43);
    private static final Duration DIED_SINCE = Duration.ofMinutes(26);
    /** Ends by itself after the demo has. */
    private static final Duration FORGOTTEN_LEASE = Duration.ofHours(24);
    /** Terraform does not renew: its locks look stale after this. */
    private static final Duration STALE_AFTER = Duration.ofMinutes(10);

    private DemoPast() {}

    public static RecordStore store() {
        DemoTime time = new DemoTime(LENGTH);
        MemoryStore store = MemoryStore.shared(time);
        Instant now = Instant.now();
        List<StoredEvent> history = new DemoHistory(now.minus(LENGTH), now).events();
        for (int from = 0; from < history.size(); from += ScanRequest.MAX_LIMIT) {
            store.importAll(history.subList(from, Math.min(history.size(), from + ScanRequest.MAX_LIMIT)))
                    .toCompletableFuture()
                    .join();
        }
        // What is granted here is in that history already.
        try (LockEngine engine = LockEngine.start(store, EngineConfig.DEFAULT.withHistory(false))) {
            time.behind(FORGOTTEN_SINCE);
            hold(engine, MIGRATION, engine.newLeaseId(), "alice@laptop-7", forgotten());
            time.behind(DIED_SINCE);
            hold(
                    engine,
                    DEAD_STACK.lock(),
                    new LeaseId(TERRAFORM_ID),
                    "mia@ci-runner-3",
                    terraform(now.minus(DIED_SINCE)));
        }
        time.behind(Duration.ZERO);
        return store;
    }

    private static final String TERRAFORM_ID = "5f2b9c1e-7d43-4a8e-9b61-0c4de1a7f310";

    private static Terms forgotten() {
        return new Terms(
                FORGOTTEN_LEASE,
                Terms.renewal(Duration.ofMinutes(1)),
                Duration.ZERO,
                Map.of("user", "alice", "host", "laptop-7"),
                "adding an index by hand");
    }

    /** As terraform's LOCK leaves it. */
    private static Terms terraform(Instant created) {
        Map<String, String> info = new LinkedHashMap<>();
        info.put("ID", TERRAFORM_ID);
        info.put("Operation", "OperationTypeApply");
        info.put("Info", "");
        info.put("Who", "mia@ci-runner-3");
        info.put("Version", "1.9.5");
        info.put("Created", Rfc3339.text(created));
        info.put("Path", "");
        return new Terms(Times.FOREVER, STALE_AFTER.dividedBy(2), Duration.ZERO, info, "OperationTypeApply");
    }

    private static void hold(LockEngine engine, LockKey key, LeaseId lease, String owner, Terms terms) {
        Request request = new Request(key.record(), lease, Scope.WHOLE, owner, terms, Duration.ZERO, Duration.ZERO);
        AcquireResult result = engine.acquire(request).answer().join().result();
        if (!(result instanceof AcquireResult.Granted)) {
            throw new IllegalStateException("a new store refused " + key + ": " + result);
        }
    }
}
