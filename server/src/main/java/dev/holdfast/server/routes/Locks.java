package dev.holdfast.server.routes;

import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.Rejection;
import dev.holdfast.server.observe.tracing.Tracing;
import java.time.Duration;

/**
 * What the calls need: the engine, a way to look, and who is told what they do.
 *
 * @param engine decides and stores
 * @param client looks
 * @param meters counts
 * @param tracing follows
 * @param waiters who may wait
 * @param quota how many different locks each caller may use
 * @param bounds what may be asked for
 * @param store its name, for people
 * @param node name of this replica
 * @param trail told who did what
 */
public record Locks(
        LockEngine engine,
        LockClient client,
        Meters meters,
        Tracing tracing,
        Waiters waiters,
        LockQuota quota,
        LeaseBounds bounds,
        String store,
        String node,
        AuditTrail trail) {

    /** Refuses a caller that has used too many different locks lately. */
    public void admit(Call call, RecordKey key) {
        if (!quota.admits(call.share(), key)) {
            meters.rejected(Rejection.LOCKS);
            throw Problem.of(
                            429,
                            "too-many-locks",
                            "This caller has used as many different locks as it may, and the store keeps the record of each for a"
                                    + " while. Use names again instead of making new ones, or ask for a higher"
                                    + " server.limits.locks-per-principal")
                    .retryAfter(Duration.ofMinutes(1))
                    .refused();
        }
    }

    Inspector inspector() {
        return client.inspect();
    }
}
