package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Watches the store and the holders, and knows what was promised. Written apart from the rules on purpose: it would not
 * help to check them with themselves.
 */
final class Checker {
    /** A lease some caller believes in. */
    record BelievedLease(Node node, int life, KeptLease lease) {
        RecordKey key() {
            return lease.key();
        }

        Scope scope() {
            return lease.hold().scope();
        }

        LeaseId id() {
            return lease.hold().leaseId();
        }

        boolean isValid() {
            return node.life() == life && lease.isValid();
        }
    }

    private final World world;
    private final Duration slack;
    private final List<BelievedLease> believed = new ArrayList<>();
    private final Map<RecordKey, Long> highestToken = new HashMap<>();
    private final Map<RecordKey, Long> highestEffect = new HashMap<>();
    private final Map<LeaseId, Long> tokenOf = new HashMap<>();
    private final Map<LeaseId, Long> renewedAt = new HashMap<>();
    private final Set<LeaseId> ended = new HashSet<>();
    private final Map<LeaseId, Integer> forces = new HashMap<>();
    private final Set<LeaseId> compatible = new HashSet<>();
    private final Set<LeaseId> givenUp = new HashSet<>();
    private final Set<LeaseId> lost = new HashSet<>();
    private final Set<LeaseId> releasedForSure = new HashSet<>();
    private final Map<RecordKey, List<Version>> versions = new HashMap<>();
    /** Store time before which ends may have been written in another time base: the clock has stepped. */
    private boolean stepped;

    private record Version(long since, LockRecord record, Instant storeTime) {}

    /**
     * Watches a world.
     *
     * @param slack by how much an engine's idea of the store's time may be off
     */
    Checker(World world, Duration slack) {
        this.world = world;
        this.slack = slack;
    }

    void clockStepped() {
        stepped = true;
    }

    // ---- what callers do

    BelievedLease granted(Node node, KeptLease lease) {
        BelievedLease one = new BelievedLease(node, node.life(), lease);
        long token = lease.hold().token().value();
        Long before = tokenOf.putIfAbsent(one.id(), token);
        if (before != null && before != token) {
            throw new Violation("S7", one.id() + " was told token " + before + " and then " + token);
        }
        believed.add(one);
        return one;
    }

    /** The same holder, who was told of a later end. */
    BelievedLease believesInstead(BelievedLease before, KeptLease lease) {
        believed.remove(before);
        return granted(before.node(), lease);
    }

    /** An identity that ended, and may hold again. */
    void reborn(LeaseId id) {
        ended.remove(id);
        tokenOf.remove(id);
        givenUp.remove(id);
        lost.remove(id);
        releasedForSure.remove(id);
    }

    /** The caller may give the lease up from now on: its release was sent, or its engine may send it. */
    void givesUp(LeaseId id) {
        givenUp.add(id);
    }

    boolean isForced(LeaseId id) {
        return forces.containsKey(id);
    }

    /** The operator's force is on its way; from now on only fencing protects from this lease. */
    void forcing(LeaseId id) {
        forces.merge(id, 1, Integer::sum);
    }

    /** Asked for by a client that counts in whole seconds. */
    void countsInSeconds(LeaseId id) {
        compatible.add(id);
    }

    /** The caller was told that its release is done. */
    void toldReleased(RecordKey key, LeaseId id, LockRecord stored) {
        releasedForSure.add(id);
        stored.hold(id).filter(hold -> hold.phase() != Hold.Phase.LINGERING).ifPresent(hold -> {
            throw new Violation("S5", id + " of " + key + " was released for its caller, but the store still has it");
        });
    }

    /** A holder that believed in its lease when it released it was told that it did not hold it. */
    void toldNotHeld(LeaseId id, LockRecord stored) {
        if (stored.past().how(id).filter(how -> how == LostReason.RELEASED).isPresent()) {
            throw new Violation("S8", id + " was told \"not held\" though it was its own release that ended it");
        }
    }

    /** An operator was told that somebody else holds by now. */
    void toldChanged(LeaseId victim, LockRecord stored) {
        boolean byForce = stored.past()
                .how(victim)
                .filter(how -> how == LostReason.FORCED)
                .isPresent();
        if (byForce && forces.getOrDefault(victim, 0) == 1) {
            throw new Violation("S8", victim + " was told \"changed\" though it was this very force that ended it");
        }
    }

    /** Somebody who renewed by the id, or asked again with it, was told that it is lost. */
    void toldLost(LeaseId id, LockRecord stored) {
        boolean believed = this.believed.stream().anyMatch(one -> one.id().equals(id) && one.isValid());
        if (believed && !isForced(id) && stored.hold(id).isPresent()) {
            throw new Violation("S8", id + " was told lost while it is held");
        }
    }

    /** A holder was told what once-only work was done before: what the store knew all the while it asked. */
    void toldDone(RecordKey key, Optional<Done> told, long asked) {
        List<Version> all = versions.getOrDefault(key, List.of());
        Optional<Done> known = Optional.empty();
        for (int i = all.size() - 1; i >= 0; i--) {
            known = all.get(i).record().past().done();
            if (all.get(i).since() <= asked || known.equals(told)) {
                break;
            }
        }
        if (!known.equals(told)) {
            throw new Violation("once", "told " + told + " about " + key + " while the store had " + known);
        }
    }

    /** Somebody sends an old acquire again: what never held may be granted now. */
    void askedAgain(LeaseId id) {
        releasedForSure.remove(id);
    }

    /** A holder that believes in its lease does something the resource checks the token of. */
    void effect(BelievedLease holder) {
        boolean alone = holder.scope().mode().equals(Mode.EXCLUSIVE)
                && holder.scope().paths().get(0).isWhole();
        if (!alone || !holder.isValid() || holder.node().isPaused()) {
            return;
        }
        long token = holder.lease().hold().token().value();
        long highest = highestEffect.getOrDefault(holder.key(), 0L);
        if (token < highest && !isForced(holder.id())) {
            throw new Violation("S4", "the resource refused the rightful holder: token " + token + " after " + highest);
        }
        highestEffect.put(holder.key(), Math.max(highest, token));
    }

    /**
     * A caller was told that others have the lock: that must have been so at some moment since it asked. Who is named must
     * have held since then; if nobody is, somebody must have waited.
     */
    void toldBusy(RecordKey key, AcquireResult.Busy busy, long since) {
        List<Version> all = versions.getOrDefault(key, List.of());
        Set<LeaseId> held = new HashSet<>();
        Token before = Token.NONE;
        for (int i = all.size() - 1; i >= 0; i--) {
            Version version = all.get(i);
            version.record().holds().forEach(hold -> held.add(hold.leaseId()));
            if (version.since() <= since) {
                before = version.record().fence();
                break;
            }
        }
        Token known = before;
        boolean wasSo = busy.holders().isEmpty()
                ? busy.queueLength() > 0
                : busy.holders().stream()
                        .allMatch(h -> held.contains(h.leaseId()) || h.token().compareTo(known) > 0);
        if (!wasSo) {
            throw new Violation(
                    "S8", "told " + busy + " about " + key + ", which was not so at any time since it was asked for");
        }
    }

    // ---- what the store sees

    void written(LockRecord before, LockRecord after, Instant clock) {
        world.trace(() -> "stored " + after.key().name() + " fence " + after.fence() + " " + brief(after));
        versions.computeIfAbsent(after.key(), k -> new ArrayList<>(List.of(new Version(-1, before, clock))))
                .add(new Version(world.now(), after, clock));
        List<Hold> byToken = new ArrayList<>(after.holds());
        byToken.sort(Comparator.comparing(Hold::token));
        for (Hold hold : byToken) {
            if (before.hold(hold.leaseId())
                    .filter(h -> h.renewedAt().equals(hold.renewedAt()))
                    .isEmpty()) {
                renewedAt.put(hold.leaseId(), world.now());
            }
            notTooLong(before, hold, clock);
            asAskedFor(before, hold);
            if (hold.phase() == Hold.Phase.LINGERING && !tokenOf.containsKey(hold.leaseId())) {
                throw new Violation("rule 12", hold.leaseId() + " lingers though nobody ever worked under it");
            }
            if (before.hold(hold.leaseId()).isEmpty()) {
                appeared(before, after, hold, clock);
            }
        }
        for (Hold hold : before.holds()) {
            if (after.hold(hold.leaseId()).isEmpty()) {
                disappeared(after, hold, clock);
            }
        }
        for (Waiter waiter : after.queue()) {
            if (isRemembered(waiter.leaseId(), before, after)) {
                throw new Violation("S6", waiter.leaseId() + " waits again after it had ended");
            }
        }
        // Who has no window for a claim is granted only when it calls.
        leftWaiting(after, waiter -> !waiter.claimWithin().isZero()).ifPresent(left -> {
            throw new Violation("rule 2", left + " is left waiting for a free lock: " + brief(after));
        });
        if (before.past().done().isPresent() && after.past().done().isEmpty()) {
            throw new Violation("once", "what was done once under " + after.key() + " is forgotten");
        }
        long fence = highestToken.getOrDefault(after.key(), 0L);
        highestToken.put(after.key(), Math.max(fence, after.fence().value()));
    }

    private void appeared(LockRecord before, LockRecord after, Hold hold, Instant clock) {
        long highest = highestToken.getOrDefault(after.key(), 0L);
        if (hold.token().value() <= highest) {
            throw new Violation("S2", "token " + hold.token() + " of " + after.key() + " is not above " + highest);
        }
        highestToken.put(after.key(), hold.token().value());
        if (compatible.contains(hold.leaseId())) {
            reborn(hold.leaseId()); // the rule for those ids allows it
        }
        if (isRemembered(hold.leaseId(), before, after)) {
            throw new Violation("S6", hold.leaseId() + " holds again after it had ended");
        }
        if (releasedForSure.contains(hold.leaseId())) {
            throw new Violation("S5", hold.leaseId() + " holds though its caller was told that it does not");
        }
        for (BelievedLease other : believed) {
            boolean rightful =
                    other.isValid() && !isForced(other.id()) && !other.id().equals(hold.leaseId());
            if (rightful
                    && other.key().equals(after.key())
                    && !releasedForSure.contains(other.id())
                    && conflict(List.of(other.scope()), hold.scope())
                    && after.hold(other.id()).isEmpty()) {
                throw new Violation(
                        "S10",
                        hold.leaseId() + " was granted " + after.key() + " while " + other.id() + " on node "
                                + other.node().index + " still believes for "
                                + other.lease().remaining());
            }
        }
        inOrder(before, after, hold, clock);
        if (excludeEachOther(after)) {
            throw new Violation("S9", "holds of " + after.key() + " exclude each other: " + brief(after));
        }
    }

    /** Whether it had ended, and not so many others since that it may be forgotten. */
    private boolean isRemembered(LeaseId id, LockRecord before, LockRecord after) {
        return ended.contains(id) && !isCrowdedOut(id, before) && !isCrowdedOut(id, after);
    }

    private static boolean isCrowdedOut(LeaseId id, LockRecord record) {
        return record.past().ended().size() == Past.MAX_ENDED
                && record.past().how(id).isEmpty();
    }

    /** Whether two holds of a record exclude each other. */
    static boolean excludeEachOther(LockRecord record) {
        List<Scope> scopes = record.holds().stream().map(Hold::scope).toList();
        return IntStream.range(0, scopes.size()).anyMatch(i -> {
            // By their places: an acquisition that is there twice has two holds as well.
            List<Scope> others = new ArrayList<>(scopes);
            Scope one = others.remove(i);
            return conflict(others, one);
        });
    }

    private static void inOrder(LockRecord before, LockRecord after, Hold granted, Instant clock) {
        for (Waiter waiter : before.queue()) {
            if (waiter.leaseId().equals(granted.leaseId())) {
                break;
            }
            boolean alive = !clock.isAfter(before.alive().getOrDefault(waiter.engine(), Instant.MIN));
            boolean stillWaits = after.position(waiter.leaseId()) > 0;
            if (alive && stillWaits && conflict(List.of(waiter.scope()), granted.scope())) {
                throw new Violation(
                        "S11", granted.leaseId() + " was granted before " + waiter.leaseId() + ", who came first");
            }
        }
    }

    /** Who is left waiting, though nothing is in the way; only such as must not be. */
    static Optional<LeaseId> leftWaiting(LockRecord record, Predicate<Waiter> mustNotBe) {
        List<Scope> inTheWay = new ArrayList<>();
        record.holds().forEach(hold -> inTheWay.add(hold.scope()));
        for (Waiter waiter : record.queue()) {
            if (!conflict(inTheWay, waiter.scope()) && mustNotBe.test(waiter)) {
                return Optional.of(waiter.leaseId());
            }
            inTheWay.add(waiter.scope());
        }
        return Optional.empty();
    }

    private void disappeared(LockRecord after, Hold hold, Instant clock) {
        if (hold.phase() == Hold.Phase.OFFERED && after.position(hold.leaseId()) > 0) {
            return; // let the offer pass and waits again
        }
        ended.add(hold.leaseId());
        boolean legitimate = givenUp.contains(hold.leaseId())
                || isForced(hold.leaseId())
                || lost.contains(hold.leaseId())
                || believed.stream()
                        .anyMatch(b -> b.id().equals(hold.leaseId()) && b.node().life() == b.life() && !b.isValid())
                || !tokenOf.containsKey(hold.leaseId()) // no caller ever knew of it
                || hold.phase() != Hold.Phase.HELD
                || clock.isAfter(hold.expiresAt())
                || hasLasted(hold)
                || stepped;
        if (!legitimate) {
            throw new Violation(
                    "S3",
                    hold.leaseId() + " of " + after.key() + " vanished at " + clock + " though it lasts until "
                            + hold.expiresAt() + " and its holder did not give it up");
        }
        Instant least = hold.grantedAt().plus(hold.terms().minHold());
        boolean released = hold.isHeld() && !isForced(hold.leaseId()) && !clock.isAfter(hold.expiresAt());
        if (released && !hasLasted(hold) && !stepped && clock.plus(slack).isBefore(least)) {
            throw new Violation("rule 12", hold.leaseId() + " was let go before its minimum hold ends at " + least);
        }
        for (BelievedLease other : believed) {
            boolean expired =
                    other.id().equals(hold.leaseId()) && !givenUp.contains(hold.leaseId()) && !isForced(hold.leaseId());
            if (expired && other.isValid()) {
                throw new Violation("S10", hold.leaseId() + " was ended while its holder still believes");
            }
        }
    }

    /** Who claims what was offered to it has what it asked for, not what was left of the offer. */
    private static void asAskedFor(LockRecord before, Hold hold) {
        boolean claimed = hold.isHeld()
                && before.hold(hold.leaseId())
                        .filter(was -> was.phase() == Hold.Phase.OFFERED)
                        .isPresent();
        if (claimed
                && hold.expiresAt().isAfter(hold.renewedAt().plus(hold.terms().lease()))) {
            throw new Violation("rule 7", hold.leaseId() + " was handed the lock for longer than it asked for");
        }
    }

    /** A renewal counts from now: no end is further away than a lease, unless it was before. */
    private void notTooLong(LockRecord before, Hold hold, Instant clock) {
        Duration rounding = compatible.contains(hold.leaseId()) ? Duration.ofSeconds(1) : Duration.ZERO;
        Instant most = clock.plus(hold.terms().lease()).plus(rounding).plus(slack);
        Instant was = before.hold(hold.leaseId())
                .filter(Hold::isHeld) // an offer was nobody's: it becomes what was asked for
                .map(Hold::expiresAt)
                .orElse(Instant.MIN);
        if (hold.isHeld()
                && !stepped
                && hold.expiresAt().isAfter(most)
                && hold.expiresAt().isAfter(was)) {
            throw new Violation("rule 5", hold.leaseId() + " ends at " + hold.expiresAt() + ", later than " + most);
        }
    }

    /** Whether its whole lease has passed since it was last written: then it may be ended by observation, too. */
    private boolean hasLasted(Hold hold) {
        long passed = world.now() - renewedAt.getOrDefault(hold.leaseId(), world.now());
        return passed > hold.terms().lease().toNanos() * (1 - 2 * Node.MAX_DRIFT);
    }

    /** After every event: nobody believes in a lock that another believes in, too. */
    void check() {
        for (int i = 0; i < believed.size(); i++) {
            BelievedLease one = believed.get(i);
            if (one.lease().lostFor().isPresent()) {
                lost.add(one.id());
            }
            if (one.node().life() != one.life() || one.lease().lostFor().isPresent()) {
                believed.remove(i--);
                continue;
            }
            for (int j = 0; j < i; j++) {
                BelievedLease other = believed.get(j);
                if (one.key().equals(other.key())
                        && !one.id().equals(other.id())
                        && !isForced(one.id())
                        && !isForced(other.id())
                        && one.isValid()
                        && other.isValid()
                        && pairExcludes(one.scope(), other.scope())) {
                    throw new Violation(
                            "S1",
                            one.id() + " on node " + one.node().index + " and " + other.id() + " on node "
                                    + other.node().index + " both hold " + one.key());
                }
            }
        }
    }

    /** The caller does not believe in it any more; its engine may give it back when its time is over. */
    void forget(BelievedLease holder) {
        givenUp.add(holder.id());
        believed.remove(holder);
    }

    // ---- who excludes whom, in other words than the rules

    private static boolean pairExcludes(Scope a, Scope b) {
        boolean bothPermits = a.mode().kind() == Mode.Kind.PERMIT && b.mode().kind() == Mode.Kind.PERMIT;
        return !(bothPermits && a.paths().equals(b.paths())) && conflict(List.of(a), b);
    }

    static boolean conflict(List<Scope> others, Scope wanted) {
        for (LockPath path : wanted.paths()) {
            int permits = 1;
            int limit = wanted.mode().limit();
            for (Scope other : others) {
                for (LockPath theirs : other.paths()) {
                    String a = path.value() + "/";
                    String b = theirs.value() + "/";
                    boolean nested = path.isWhole() || theirs.isWhole() || a.startsWith(b) || b.startsWith(a);
                    if (!nested) {
                        continue;
                    }
                    Mode.Kind kind = wanted.mode().kind();
                    if (kind != other.mode().kind() || kind == Mode.Kind.EXCLUSIVE) {
                        return true;
                    }
                    if (kind == Mode.Kind.PERMIT) {
                        if (!a.equals(b)) {
                            return true;
                        }
                        permits++;
                        limit = Math.min(limit, other.mode().limit());
                    }
                }
            }
            if (wanted.mode().kind() == Mode.Kind.PERMIT && permits > limit) {
                return true;
            }
        }
        return false;
    }

    private static String brief(LockRecord record) {
        StringBuilder text = new StringBuilder("holds");
        record.holds()
                .forEach(h -> text.append(' ')
                        .append(h.leaseId())
                        .append('=')
                        .append(h.phase())
                        .append('@')
                        .append(h.token())
                        .append(" until ")
                        .append(h.expiresAt()));
        text.append(" queue");
        record.queue().forEach(w -> text.append(' ').append(w.leaseId()));
        return text.toString();
    }
}
