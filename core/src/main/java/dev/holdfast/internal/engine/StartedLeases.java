package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of callers who started on an offer of one lock. Whatever this engine decides about the lock begins with claiming them, so no
 * command, whoever asks for it, finds an offer that somebody relies on. Safe for any thread.
 */
final class StartedLeases {
    private final Map<LeaseId, KeptLease> leases = new ConcurrentHashMap<>(2);

    void add(KeptLease lease) {
        leases.put(lease.hold().leaseId(), lease);
    }

    Optional<KeptLease> of(LeaseId leaseId) {
        return Optional.ofNullable(leases.get(leaseId));
    }

    /** Takes it out: its caller went away. */
    Optional<KeptLease> remove(LeaseId leaseId) {
        return Optional.ofNullable(leases.remove(leaseId));
    }

    /** Whether somebody relies on one of them. */
    boolean isInUse() {
        return leases.values().stream().anyMatch(lease -> !lease.hasEnded());
    }

    /**
     * What claims them, one after the other, in a record that still offers them. Who does not rely on its lease any more claims it only
     * to release it: if that did not arrive, the offer passes.
     */
    List<Decision<?>> claim(List<Op<?>> ops, LockRules rules, LockRecord base, Moment now, DecidingEngine here) {
        if (leases.isEmpty()) {
            return List.of();
        }
        List<Decision<?>> claims = new ArrayList<>(leases.size());
        LockRecord record = base;
        for (KeptLease lease : leases.values()) {
            LeaseId leaseId = lease.hold().leaseId();
            Optional<Terms> asked = lease.started();
            boolean offered = record.hold(leaseId).flatMap(Hold::ticket).isPresent();
            if (offered && asked.isPresent() && (!lease.hasEnded() || isReleased(leaseId, ops))) {
                Decision<?> claim = new Command.Claim(leaseId, asked.get()).applyTo(rules, record, now, here);
                claims.add(claim);
                record = claim.record();
            }
        }
        return claims;
    }

    private static boolean isReleased(LeaseId leaseId, List<Op<?>> ops) {
        for (Op<?> op : ops) {
            if (op.command instanceof Command.Release ask && ask.leaseId().equals(leaseId)) {
                return true;
            }
        }
        return false;
    }

    /** Forgets those that the record, which is not older than they, has no more. */
    void seen(LockRecord record) {
        if (!leases.isEmpty()) {
            leases.values()
                    .removeIf(lease -> record.fence().compareTo(lease.hold().token()) >= 0
                            && record.hold(lease.hold().leaseId()).isEmpty());
        }
    }
}
