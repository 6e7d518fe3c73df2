package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.Anchor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command on its way through a {@link KeyQueue}: what is asked, until when to try, and who is told. */
final class QueuedCommand<R> {
    final Command<R> command;
    private final Cause cause;
    /** Local time until which failures of the store are retried. */
    final long deadline;

    /** The record that made somebody look, if the store sent it along. */
    final Optional<Versioned> heard;

    final CompletableFuture<Answer<R>> future = new CompletableFuture<>();
    private @Nullable R result;
    /** What was decided when it was sent without an answer: the next look may find just that done. */
    private @Nullable R doubted;
    /** When each grant was confirmed that may have been made without an answer. */
    private final List<Instant> inDoubt = new ArrayList<>(0);
    /** The store works, and it failed only because others always wrote first. */
    volatile boolean outrun;
    /** Nobody can tell what became of it. */
    private boolean unclear;

    QueuedCommand(Command<R> command, long deadline) {
        this(command, Cause.OWNER, deadline);
    }

    QueuedCommand(Command<R> command, Cause cause, long deadline) {
        this(command, cause, deadline, Optional.empty());
    }

    QueuedCommand(Command<R> command, Cause cause, long deadline, Optional<Versioned> heard) {
        this.command = command;
        this.cause = cause;
        this.deadline = deadline;
        this.heard = heard;
    }

    /** Applies the rule and remembers its result until it may be told. */
    Decision<R> decide(LockRules rules, Judgement judgement, LockRecord record, Moment now, DecidingEngine here) {
        Decision<R> decision = command.applyTo(rules, record, now, here.on(cause));
        R before = doubted;
        Optional<R> settled = before == null
                ? Optional.of(decision.result())
                : judgement.settled(
                        command, before, decision.result(), decision.record().past());
        unclear = settled.isEmpty();
        result = asOurs(settled.orElse(decision.result()), record);
        return decision;
    }

    /** What looks held before it was asked for may be what this very command was granted when it was last sent. */
    @SuppressWarnings("unchecked") // a grant stays a grant
    private R asOurs(R decided, LockRecord before) {
        boolean ours = !inDoubt.isEmpty()
                && decided instanceof AcquireResult.Granted granted
                && granted.again()
                && before.hold(granted.hold().leaseId()).filter(this::isInDoubt).isPresent();
        return ours ? (R) ((AcquireResult.Granted) decided).forTheFirstTime() : decided;
    }

    private boolean isInDoubt(Hold hold) {
        return inDoubt.contains(hold.renewedAt());
    }

    /** It was sent as decided, and no answer came. */
    void doubt(LockRecord before, LockRecord sent) {
        if (!unclear && !mayHaveEnded(doubted)) {
            doubted = result;
        }
        if (command instanceof Command.Acquire ask) {
            grantsInDoubt(ask.leaseId(), before, sent);
        } else if (command instanceof Command.Reacquire ask) {
            grantsInDoubt(ask.leaseId(), before, sent);
        }
    }

    /** What may have ended something once may have done so whatever was sent after it: the first one can arrive last. */
    private static boolean mayHaveEnded(@Nullable Object decided) {
        return decided == ReleaseResult.RELEASED || decided instanceof ForceResult.Forced;
    }

    private void grantsInDoubt(LeaseId leaseId, LockRecord before, LockRecord sent) {
        boolean othersKnow = before.hold(leaseId)
                .filter(Hold::isHeld)
                .filter(hold -> !isInDoubt(hold))
                .isPresent();
        if (!othersKnow) {
            sent.hold(leaseId).filter(Hold::isHeld).ifPresent(hold -> inDoubt.add(hold.renewedAt()));
        }
    }

    /** Takes back what this acquire may have been granted without anybody knowing; nothing that another call was told of. */
    Command.GiveBack giveBack(LeaseId leaseId) {
        return new Command.GiveBack(leaseId, List.copyOf(inDoubt));
    }

    /** Whether it is that of a caller who waits if need be. */
    boolean waits() {
        return command instanceof Command.Acquire ask && ask.claimWithin().isPresent();
    }

    /** Whether its result is a place in the queue. */
    boolean isQueued() {
        return result instanceof AcquireResult.Queued;
    }

    /** What to tell of it if it took long, until now; only of what a caller asked for, whose time is the usual one. */
    Optional<EngineMeter.SlowCommand> slow(EngineParts parts, RecordKey key, long now, long inStore, boolean failed) {
        long took = now - deadline + parts.config().operationTimeout().toNanos();
        return cause.equals(Cause.OWNER) || took < parts.meter().slowNanos()
                ? Optional.empty()
                : Optional.of(new EngineMeter.SlowCommand(
                        key,
                        command.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                        cause,
                        Duration.ofNanos(took),
                        Duration.ofNanos(Math.min(took, inStore)),
                        failed));
    }

    /** Tells a result that replaces the decided one; only for acquires. */
    @SuppressWarnings("unchecked") // R is AcquireResult for an Acquire
    void tellInstead(AcquireResult better, Anchor anchor, LockRecord record) {
        future.complete(new Answer<>((R) better, anchor, record));
    }

    void tell(Anchor anchor, LockRecord record, FailureWords words) {
        if (unclear) {
            future.completeExceptionally(words.settledByOthers());
            return;
        }
        R decided = result;
        if (decided == null) {
            throw new IllegalStateException("answered before it was decided");
        }
        if (decided instanceof AcquireResult.Granted granted
                && !granted.done().equals(record.past().done())) {
            // It was decided on a record we had never seen: what was done under it came back with the write.
            tellInstead(granted.withDone(record.past().done()), anchor, record);
            return;
        }
        future.complete(new Answer<>(decided, anchor, record));
    }

    void fail(Throwable failure, Judgement judgement, Anchor anchor, LockRecord record) {
        Optional<R> instead = judgement.answerTo(command, failure);
        if (instead.isPresent()) {
            future.complete(new Answer<>(instead.get(), anchor, record));
        } else {
            future.completeExceptionally(failure);
        }
    }
}
