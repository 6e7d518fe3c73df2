package dev.holdfast.server.demo;

import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.util.Map;

/** Something that is done under a lock: how long the work takes, and how it ends. */
record Job(LockKey key, Mode mode, String owner, String reason, Map<String, String> metadata, Duration work, End end) {

    enum End {
        RELEASED,
        /** Its process dies, so the lease expires. */
        DIED
    }

    /** Longer than the queues of a demo ever are. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Far longer than the work, or short so that one who died is replaced soon. */
    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

    private static final Duration SHORT_LEASE = Duration.ofSeconds(4);

    Job dying() {
        return new Job(key, mode, owner, reason, metadata, work, End.DIED);
    }

    Request request(LeaseId leaseId) {
        Duration lease = end == End.DIED ? SHORT_LEASE : USUAL_LEASE;
        Terms terms = new Terms(lease, Terms.renewal(lease), Duration.ZERO, metadata, reason);
        return new Request(key.record(), leaseId, Scope.of(key.path(), mode), owner, terms, PATIENCE, Duration.ZERO);
    }
}
