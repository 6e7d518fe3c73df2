package dev.holdfast.server.routes;

import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.tracing.Tracing;

/**
 * What the calls need: the engine, a way to look, and who is told what they do.
 *
 * @param engine decides and stores
 * @param client looks
 * @param meters counts
 * @param tracing follows
 * @param waiters who may wait
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
        LeaseBounds bounds,
        String store,
        String node,
        AuditTrail trail) {

    Inspector inspector() {
        return client.inspect();
    }
}
