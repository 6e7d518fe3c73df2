package dev.holdfast.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A lock that is held.
 *
 * @param leaseId the acquisition
 * @param scope what is held
 * @param owner label of the holder
 * @param token the acquisition's fencing token
 * @param grantedAt store time of the grant
 * @param renewedAt store time of the last renewal, or of the grant
 * @param expiresAt when it ends unless renewed; {@link Times#NEVER} for holds that do not
 * @param terms what the holder asked for
 * @param phase where in its life it is
 * @param ticket while {@link Phase#OFFERED}, the place in the queue it came from
 * @param stale whether its staleness was already reported
 */
public record Hold(
        LeaseId leaseId,
        Scope scope,
        String owner,
        Token token,
        Instant grantedAt,
        Instant renewedAt,
        Instant expiresAt,
        Terms terms,
        Phase phase,
        Optional<Waiter> ticket,
        boolean stale) {

    /** The life of a hold: offered (only by hand-over), held, lingering (only with a minimum hold). */
    public enum Phase {
        /** Handed over by another engine; its own engine has the claim window to take it. */
        OFFERED,
        /** Held. */
        HELD,
        /** Released before its minimum hold; keeps the record busy until it expires. */
        LINGERING
    }

    /** Checks the owner, and that exactly offers have a ticket, their own. */
    public Hold {
        Names.text("owner", owner, 1);
        if ((phase == Phase.OFFERED) != ticket.isPresent()) {
            throw new IllegalArgumentException("a hold has a ticket exactly while it is offered, was " + phase);
        }
        if (ticket.isPresent() && !isOf(ticket.get(), leaseId, scope, owner)) {
            throw new IllegalArgumentException(
                    "the ticket of an offer is of the same acquisition, was " + ticket.get());
        }
    }

    private static boolean isOf(Waiter ticket, LeaseId leaseId, Scope scope, String owner) {
        return ticket.leaseId().equals(leaseId)
                && ticket.scope().equals(scope)
                && ticket.owner().equals(owner);
    }

    /** Whether the holder can rely on it: neither merely offered nor already released. */
    public boolean isHeld() {
        return phase == Phase.HELD;
    }

    /** Held from now on, with the terms of its caller, until {@code end}. */
    public Hold claimed(Terms agreed, Instant now, Instant end) {
        return new Hold(leaseId, scope, owner, token, grantedAt, now, end, agreed, Phase.HELD, Optional.empty(), false);
    }

    /** Released, but in the way until {@code end}. */
    public Hold lingering(Instant end) {
        return new Hold(
                leaseId,
                scope,
                owner,
                token,
                grantedAt,
                renewedAt,
                end,
                terms,
                Phase.LINGERING,
                Optional.empty(),
                stale);
    }

    /** The same hold, its staleness reported. */
    public Hold reportedStale() {
        return new Hold(leaseId, scope, owner, token, grantedAt, renewedAt, expiresAt, terms, phase, ticket, true);
    }

    /** The same hold, described in these words. */
    public Hold described(Map<String, String> metadata, String reason) {
        Terms words = new Terms(terms.lease(), terms.renewEvery(), terms.minHold(), metadata, reason, terms.account());
        return new Hold(leaseId, scope, owner, token, grantedAt, renewedAt, expiresAt, words, phase, ticket, stale);
    }

    /**
     * When the hold looks stale: {@code staleAfter} without renewal, or two renewal intervals if that is longer. Holds
     * whose holder does not renew are stale only when they never expire.
     */
    public Instant staleAt(Duration staleAfter) {
        boolean renews = !terms.renewEvery().isZero();
        if (!renews && !expiresAt.equals(Times.NEVER)) {
            return Times.NEVER;
        }
        Duration two = terms.renewEvery().multipliedBy(2);
        return renewedAt.plus(staleAfter.compareTo(two) > 0 ? staleAfter : two);
    }
}
