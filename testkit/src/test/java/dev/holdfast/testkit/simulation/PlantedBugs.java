package dev.holdfast.testkit.simulation;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.testkit.simulation.Simulation.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The mistakes lock services make, each planted in the real rules, engine or store. */
final class PlantedBugs {
    private PlantedBugs() {}

    static Map<String, Subject> all() {
        Map<String, Subject> bugs = new LinkedHashMap<>();
        bugs.put("renewal is added to what is left", rules(new AdditiveRenew()));
        bugs.put("a released record is deleted, and its counter with it", forgetfulStore());
        bugs.put("a newcomer passes those who wait", rules(new Barging()));
        bugs.put("the lease counts from the answer", judgement(new LeaseFromAnswer()));
        bugs.put("a failed renewal is taken for a good one", judgement(new IgnoredFailure()));
        bugs.put("an expired lease is revived by its renewal", rules(new RevivedLease()));
        bugs.put("anybody's release is accepted", rules(new ForeignRelease()));
        bugs.put("the next holder gets the same token", rules(new ReusedToken()));
        bugs.put("force ends whoever holds", rules(new UnconditionalForce()));
        bugs.put("dead waiters stay in the queue", rules(new ImmortalWaiters()));
        bugs.put("the store accepts an old stamp", server(place -> new SimServer(place) {
            @Override
            boolean stampMatches(LockRecord current, Precondition.Stamped expected) {
                return true;
            }
        }));
        bugs.put("a store error is reported as busy", judgement(new BusyOnError()));
        bugs.put("busy is answered from the cache", judgement(new CachedAnswers()));
        bugs.put("an ended lease id is granted again", rules(new ForgottenEnds()));
        bugs.put("the end is written from the earliest time", judgement(new EarlyEnds()));
        bugs.put("expired holds are taken over after a clock step", judgement(new TrustedStep()));
        bugs.put("a doubtful write is not burned", judgement(new UnburnedDoubt()));
        bugs.put("the holder believes to the very end and beyond", judgement(new NoMargin()));
        bugs.put("release forgets to hand over", rules(new ForgottenHandOver()));
        bugs.put("ancestors and descendants do not exclude each other", rules(new FlatPaths()));
        bugs.put("the minimum hold is ignored", rules(new NoMinHold()));
        bugs.put("a renewal for less shortens", rules(new ShorteningRenew()));
        bugs.put("asking again for less shortens", rules(new ShorteningAgain()));
        bugs.put("a claimed offer keeps the end of the offer", rules(new LongOffers()));
        bugs.put("a grant that was given back lingers", rules(new LingeringGiveBack()));
        bugs.put("once-only work is forgotten by the next release", rules(new ForgottenWork()));
        bugs.put("a release that went through in doubt is told as not held", judgement(new StrangeToItself()));
        bugs.put("a hold is watched for no longer than its lease", judgement(new ShortWatch()));
        bugs.put("a record is deleted though its token is needed", forgetfulPurge());
        return bugs;
    }

    private static Subject rules(LockRules rules) {
        return new Subject(rules, new Judgement(), SimServer::new);
    }

    private static Subject judgement(Judgement judgement) {
        return new Subject(new LockRules(), judgement, SimServer::new);
    }

    private static Subject server(Function<SimServer.Place, SimServer> servers) {
        return new Subject(new LockRules(), new Judgement(), servers);
    }

    private static Subject forgetfulStore() {
        return new Subject(new CountedTokens(), new Judgement(), place -> new SimServer(place) {
            @Override
            @Nullable LockRecord stored(LockRecord next) {
                return next.isIdle() ? null : next;
            }
        });
    }

    /** Deletes what is idle for long, with tokens from a counter alone: they start anew. */
    private static Subject forgetfulPurge() {
        return new Subject(new CountedTokens(), new Judgement(), SimServer::new);
    }

    // ---- helpers to bend a decision

    static LockRecord with(LockRecord r, List<Hold> holds, List<Waiter> queue, Token fence) {
        return new LockRecord(r.format(), r.key(), r.stamp(), fence, holds, queue, r.alive(), r.past(), r.extras());
    }

    private static <R> Decision<R> with(Decision<R> d, LockRecord record, R result) {
        return new Decision<>(record, d.changed(), result, d.events(), d.notBefore());
    }

    private static Hold with(Hold h, Token token, Instant end) {
        return new Hold(
                h.leaseId(),
                h.scope(),
                h.owner(),
                token,
                h.grantedAt(),
                h.renewedAt(),
                end,
                h.terms(),
                h.phase(),
                h.ticket(),
                h.stale());
    }

    /** Changes the holds that a decision added. */
    private static LockRecord changeNew(LockRecord before, LockRecord after, UnaryOperator<Hold> change) {
        List<Hold> holds = new ArrayList<>();
        for (Hold hold : after.holds()) {
            holds.add(before.hold(hold.leaseId()).isPresent() ? hold : change.apply(hold));
        }
        Token fence = holds.stream().map(Hold::token).max(Token::compareTo).orElse(before.fence());
        return with(after, holds, after.queue(), fence.compareTo(before.fence()) > 0 ? fence : before.fence());
    }

    private static AcquireResult retold(AcquireResult told, LockRecord record) {
        return told instanceof AcquireResult.Granted granted
                ? new AcquireResult.Granted(
                        record.hold(granted.hold().leaseId()).orElse(granted.hold()), granted.done())
                : told;
    }

    // ---- rules

    private static final class AdditiveRenew extends LockRules {
        @Override
        public Decision<RenewResult> renew(LockRecord record, Command.Renew ask, Moment now, DecidingEngine here) {
            Decision<RenewResult> right = super.renew(record, ask, now, here);
            Optional<Hold> before = record.hold(ask.leaseId());
            if (before.isEmpty() || !(right.result() instanceof RenewResult.Renewed renewed)) {
                return right;
            }
            Hold longer = with(
                    renewed.hold(),
                    renewed.hold().token(),
                    before.get().expiresAt().plus(renewed.hold().terms().lease()));
            List<Hold> holds = new ArrayList<>(right.record().holds());
            holds.replaceAll(h -> h.leaseId().equals(ask.leaseId()) ? longer : h);
            LockRecord next = with(
                    right.record(),
                    holds,
                    right.record().queue(),
                    right.record().fence());
            return with(right, next, new RenewResult.Renewed(longer));
        }
    }

    /** Tokens from a counter in the record alone, as most lock tables have it. */
    private static final class CountedTokens extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            Decision<AcquireResult> right = super.acquire(record, ask, now, here);
            long[] count = {record.fence().value()};
            LockRecord next = changeNew(record, right.record(), h -> with(h, new Token(++count[0]), h.expiresAt()));
            return with(right, next, retold(right.result(), next));
        }
    }

    private static final class ReusedToken extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            Decision<AcquireResult> right = super.acquire(record, ask, now, here);
            if (record.fence().equals(Token.NONE)) {
                return right;
            }
            LockRecord next = changeNew(record, right.record(), h -> with(h, record.fence(), h.expiresAt()));
            return with(right, next, retold(right.result(), next));
        }
    }

    private static final class Barging extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            Decision<AcquireResult> barged =
                    super.acquire(with(record, record.holds(), List.of(), record.fence()), ask, now, here);
            if (!(barged.result() instanceof AcquireResult.Granted) || record.position(ask.leaseId()) > 0) {
                return super.acquire(record, ask, now, here);
            }
            return with(
                    barged,
                    with(
                            barged.record(),
                            barged.record().holds(),
                            record.queue(),
                            barged.record().fence()),
                    barged.result());
        }
    }

    private static final class RevivedLease extends LockRules {
        @Override
        public Decision<RenewResult> renew(LockRecord record, Command.Renew ask, Moment now, DecidingEngine here) {
            boolean expired = record.hold(ask.leaseId()).filter(now::isOver).isPresent();
            Moment bent = new Moment(Instant.EPOCH, now.latest(), now.trustedSince(), Set.of(), now.silent());
            Optional<LockRecord> before =
                    Optional.of(record).filter(r -> r.past().how(ask.leaseId()).isPresent());
            if (before.isPresent() && revived != null && revived.leaseId().equals(ask.leaseId())) {
                List<Hold> holds = new ArrayList<>(record.holds());
                holds.add(revived);
                return super.renew(with(record, holds, record.queue(), record.fence()), ask, bent, here);
            }
            record.hold(ask.leaseId()).ifPresent(h -> revived = h);
            return super.renew(record, ask, expired ? bent : now, here);
        }

        private @Nullable Hold revived;
    }

    private static final class ForeignRelease extends LockRules {
        @Override
        public Decision<ReleaseResult> release(
                LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
            if (record.holds().isEmpty() || record.hold(ask.leaseId()).isPresent()) {
                return super.release(record, ask, now, here);
            }
            return super.release(
                    record, new Command.Release(record.holds().get(0).leaseId(), ask.ending()), now, here);
        }
    }

    private static final class UnconditionalForce extends LockRules {
        @Override
        public Decision<ForceResult> force(
                LockRecord record, Command.ForceRelease ask, Moment now, DecidingEngine here) {
            Token any = record.holds().isEmpty()
                    ? ask.expected()
                    : record.holds().get(0).token();
            return super.force(record, new Command.ForceRelease(any, ask.by(), ask.reason()), now, here);
        }
    }

    private static final class ImmortalWaiters extends LockRules {
        private static LockRecord bent(LockRecord r, Moment now) {
            Map<EngineId, Instant> alive = new LinkedHashMap<>(r.alive());
            alive.replaceAll((engine, until) -> now.latest().plus(Moment.ALIVE_FOR));
            return new LockRecord(
                    r.format(), r.key(), r.stamp(), r.fence(), r.holds(), r.queue(), alive, r.past(), r.extras());
        }

        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            return super.acquire(bent(record, now), unclaimed(ask), now, here);
        }

        /** Also never offered, so that nothing but the liveness check could remove it. */
        private static Command.Acquire unclaimed(Command.Acquire ask) {
            return new Command.Acquire(
                    ask.leaseId(),
                    ask.scope(),
                    ask.owner(),
                    ask.terms(),
                    ask.claimWithin().map(within -> Duration.ZERO));
        }

        @Override
        public Decision<LockRecord> touch(LockRecord record, Command.Touch ask, Moment now, DecidingEngine here) {
            return super.touch(bent(record, now), ask, now, here);
        }

        @Override
        public Decision<RenewResult> renew(LockRecord record, Command.Renew ask, Moment now, DecidingEngine here) {
            return super.renew(bent(record, now), ask, now, here);
        }

        @Override
        public Decision<ReleaseResult> withdraw(
                LockRecord record, Command.Withdraw ask, Moment now, DecidingEngine here) {
            return super.withdraw(bent(record, now), ask, now, here);
        }

        @Override
        public Decision<ReleaseResult> giveBack(
                LockRecord record, Command.GiveBack ask, Moment now, DecidingEngine here) {
            return super.giveBack(bent(record, now), ask, now, here);
        }

        @Override
        public Decision<ForceResult> force(
                LockRecord record, Command.ForceRelease ask, Moment now, DecidingEngine here) {
            return super.force(bent(record, now), ask, now, here);
        }

        @Override
        public Decision<ReleaseResult> release(
                LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
            return super.release(bent(record, now), ask, now, here);
        }
    }

    private static final class ForgottenEnds extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            return super.acquire(record.withPast(Past.NONE), ask, now, here);
        }
    }

    private static final class ForgottenHandOver extends LockRules {
        @Override
        public Decision<ReleaseResult> release(
                LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
            if (record.hold(ask.leaseId()).isEmpty()) {
                return super.release(record, ask, now, here);
            }
            Decision<ReleaseResult> right =
                    super.release(with(record, record.holds(), List.of(), record.fence()), ask, now, here);
            LockRecord r = right.record();
            LockRecord next = new LockRecord(
                    r.format(),
                    r.key(),
                    r.stamp(),
                    r.fence(),
                    r.holds(),
                    record.queue(),
                    record.alive(),
                    r.past(),
                    r.extras());
            return with(right, next, right.result());
        }
    }

    private static final class FlatPaths extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            List<Hold> same = record.holds().stream()
                    .filter(h -> h.scope().paths().equals(ask.scope().paths())
                            || h.leaseId().equals(ask.leaseId()))
                    .toList();
            Decision<AcquireResult> right =
                    super.acquire(with(record, same, record.queue(), record.fence()), ask, now, here);
            List<Hold> holds = new ArrayList<>(right.record().holds());
            record.holds().stream().filter(h -> !same.contains(h)).forEach(holds::add);
            return with(
                    right,
                    with(
                            right.record(),
                            holds,
                            right.record().queue(),
                            right.record().fence()),
                    right.result());
        }
    }

    private static final class NoMinHold extends LockRules {
        @Override
        public Decision<ReleaseResult> release(
                LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
            Decision<ReleaseResult> right = super.release(record, ask, now, here);
            List<Hold> gone = right.record().holds().stream()
                    .filter(h -> !h.leaseId().equals(ask.leaseId()))
                    .toList();
            return with(
                    right,
                    with(
                            right.record(),
                            gone,
                            right.record().queue(),
                            right.record().fence()),
                    right.result());
        }
    }

    /** The hold of this acquisition, ending as if nobody had believed in anything before. */
    private static LockRecord cut(LockRecord record, LeaseId id, Moment now, Duration lease) {
        List<Hold> holds = new ArrayList<>(record.holds());
        holds.replaceAll(h -> h.leaseId().equals(id)
                ? h.claimed(
                        h.terms().withLease(lease), h.renewedAt(), now.latest().plus(lease))
                : h);
        return with(record, holds, record.queue(), record.fence());
    }

    private static final class ShorteningRenew extends LockRules {
        @Override
        public Decision<RenewResult> renew(LockRecord record, Command.Renew ask, Moment now, DecidingEngine here) {
            Decision<RenewResult> right = super.renew(record, ask, now, here);
            if (ask.lease().isEmpty() || !(right.result() instanceof RenewResult.Renewed)) {
                return right;
            }
            LockRecord next =
                    cut(right.record(), ask.leaseId(), now, ask.lease().get());
            return with(
                    right,
                    next,
                    new RenewResult.Renewed(next.hold(ask.leaseId()).orElseThrow()));
        }
    }

    private static final class ShorteningAgain extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            Decision<AcquireResult> right = super.acquire(record, ask, now, here);
            if (!(right.result() instanceof AcquireResult.Granted granted) || !granted.again()) {
                return right;
            }
            LockRecord next =
                    cut(right.record(), ask.leaseId(), now, ask.terms().lease());
            return with(right, next, retold(right.result(), next));
        }
    }

    private static final class LongOffers extends LockRules {
        @Override
        public Decision<AcquireResult> acquire(
                LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
            Decision<AcquireResult> right = super.acquire(record, ask, now, here);
            Optional<Hold> offer = record.hold(ask.leaseId()).filter(h -> h.phase() == Hold.Phase.OFFERED);
            if (offer.isEmpty() || !(right.result() instanceof AcquireResult.Granted granted)) {
                return right;
            }
            Instant end = Times.later(offer.get().expiresAt(), granted.hold().expiresAt());
            List<Hold> holds = new ArrayList<>(right.record().holds());
            holds.replaceAll(h -> h.leaseId().equals(ask.leaseId()) ? with(h, h.token(), end) : h);
            LockRecord next = with(
                    right.record(),
                    holds,
                    right.record().queue(),
                    right.record().fence());
            return with(right, next, retold(right.result(), next));
        }
    }

    private static final class LingeringGiveBack extends LockRules {
        @Override
        public Decision<ReleaseResult> giveBack(
                LockRecord record, Command.GiveBack ask, Moment now, DecidingEngine here) {
            Decision<ReleaseResult> right = super.giveBack(record, ask, now, here);
            boolean held = record.hold(ask.leaseId()).filter(Hold::isHeld).isPresent();
            return held && right.result() == ReleaseResult.RELEASED
                    ? super.release(record, new Command.Release(ask.leaseId(), Command.Ending.RELEASED), now, here)
                    : right;
        }
    }

    private static final class ForgottenWork extends LockRules {
        @Override
        public Decision<ReleaseResult> release(
                LockRecord record, Command.Release ask, Moment now, DecidingEngine here) {
            Decision<ReleaseResult> right = super.release(record, ask, now, here);
            Past past = right.record().past();
            return ask.ending().generation().isPresent() || !right.changed()
                    ? right
                    : with(
                            right,
                            right.record().withPast(new Past(past.ended(), past.lastEnd(), Optional.empty())),
                            right.result());
        }
    }

    // ---- the engine's decisions

    private static final class StrangeToItself extends Judgement {
        @Override
        public <R> Optional<R> settled(Command<R> command, R before, R after, Past past) {
            return Optional.of(after);
        }
    }

    private static final class ShortWatch extends Judgement {
        @Override
        public Duration watchFor(Duration span) {
            return span.plus(span.dividedBy(500));
        }
    }

    private static final class LeaseFromAnswer extends Judgement {
        @Override
        public Anchor leaseStart(Anchor sent, LocalTime now) {
            return Anchor.of(now);
        }
    }

    private static final class IgnoredFailure extends Judgement {
        @Override
        public boolean countsAsRenewed(Throwable failure) {
            return true;
        }
    }

    private static final class BusyOnError extends Judgement {
        @Override
        @SuppressWarnings("unchecked") // R is AcquireResult for an Acquire
        public <R> Optional<R> answerTo(Command<R> command, Throwable failure) {
            return command instanceof Command.Acquire
                    ? Optional.of((R) new AcquireResult.Busy(List.of(), 0, false))
                    : Optional.empty();
        }
    }

    private static final class CachedAnswers extends Judgement {
        @Override
        public boolean mayAnswer(boolean fresh, boolean exclusive) {
            return true;
        }
    }

    private static final class EarlyEnds extends Judgement {
        @Override
        public Moment moment(StoreClock.Reading reading, Set<Hold> outlived, Map<EngineId, Instant> silent) {
            return new Moment(reading.earliest(), reading.earliest(), reading.trustedSince(), outlived, silent);
        }
    }

    private static final class TrustedStep extends Judgement {
        @Override
        public Moment moment(StoreClock.Reading reading, Set<Hold> outlived, Map<EngineId, Instant> silent) {
            return new Moment(reading.earliest(), reading.latest(), Instant.MIN, Set.of(), Map.of());
        }
    }

    private static final class UnburnedDoubt extends Judgement {
        @Override
        public Optional<LockRecord> burn(LockRecord current, boolean stored, Precondition doubtful) {
            return Optional.empty();
        }
    }

    private static final class NoMargin extends Judgement {
        @Override
        public Duration trust(Duration lease) {
            return lease.plus(lease.dividedBy(20));
        }
    }
}
