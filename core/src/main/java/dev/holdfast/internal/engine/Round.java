package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.judgement.Observation;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.engine.machine.WriteBatcher;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the pending commands of one lock: apply the rules to what we know of the record, write once, tell all.
 *
 * <pre>
 *   decide ──nothing to write──► answer, if the record is fresh; else read ──► decide
 *      └──write──► applied ──► answer
 *                  refused ──► decide on the record that came back
 *                  unclear ──► read: our stamp? applied. Else decide again, and burn the old stamp
 *                  failed  ──► later again, until the callers' deadlines
 * </pre>
 */
final class Round implements WriteBatcher.WriteListener {
    /** How well the base of the decision is known. */
    private enum Knowledge {
        /** Never read: assumed unused. */
        ASSUMED,
        /** Read: there is none. */
        ABSENT,
        /** Read, heard of, or written by us. */
        STORED
    }

    private final KeyQueue queue;
    private final EngineParts parts;
    private final FailureWords said;
    private List<QueuedCommand<?>> commands;
    private Calling calling;

    private LockRecord base;
    private String tag = "";
    private Knowledge knowledge = Knowledge.ASSUMED;
    /** Whether the base was read after the commands arrived. */
    private boolean fresh;
    /** Whether the base was written by somebody else. */
    private boolean foreign;

    /** The last write sent, for telling whether it arrived when its answer did not. */
    private @Nullable SentWrite attempt;

    /** Whether a write is under way; the store may then ask for another one. */
    private boolean awaiting;

    /** Its callers are told. */
    private volatile boolean over;

    private final Backoff backoff;
    private @Nullable Throwable lastFailure;

    /** When the store was last asked, and how long it had this round in all; only while somebody wants to hear of slow ones. */
    private long asked;

    private long inStore;

    private record SentWrite(Write write, LockRecord stamped, List<LockEvent> events, Anchor anchor) {}

    Round(KeyQueue queue, List<QueuedCommand<?>> commands, Calling calling) {
        this.queue = queue;
        this.parts = queue.parts;
        this.backoff = new Backoff(queue.parts.machine());
        this.said = new FailureWords(queue.key, queue.parts.traits().name());
        this.commands = commands;
        this.calling = calling;
        this.base = LockRecord.empty(queue.key);
    }

    void start() {
        guarded(this::begin);
    }

    /**
     * Every step comes through here. A defect, or a virtual machine at its limits, must not leave the lock without a queue and its
     * callers without an answer: whatever a step throws ends this round, and the next one starts anew.
     */
    private void guarded(Runnable step) {
        if (over) {
            return; // an answer to what was given up
        }
        try {
            step.run();
        } catch (Throwable defect) {
            if (over) {
                throw defect; // behind this round: its callers are told
            }
            try {
                giveUp(defect);
            } finally {
                roundOver(null); // also if there is no memory left to say why
            }
        }
    }

    private void giveUp(Throwable defect) {
        queue.cache(null);
        SentWrite sent = attempt;
        if (sent != null) {
            queue.doubt(sent.write().precondition());
            commands.forEach(queued -> queued.doubt(base, sent.stamped()));
        }
        RuntimeException told = said.defect(defect, sent != null);
        commands.forEach(queued -> queued.future.completeExceptionally(told));
    }

    private void roundOver(@Nullable LockRecord record) {
        over = true;
        queue.roundOver(record, foreign);
    }

    private void begin() {
        Duration newcomerPause = onlyWaits() ? queue.newcomerPause() : Duration.ZERO;
        if (newcomerPause.isZero()) {
            look();
        } else {
            later(newcomerPause, this::look);
        }
    }

    private void look() {
        Optional<Versioned> heard = heard();
        foreign |= heard.isPresent();
        heard.ifPresent(queue::cache);
        Versioned cached = queue.cached();
        if (!queue.doubts().isEmpty() || (cached == null && !onlyAcquires())) {
            read();
            return;
        }
        if (cached != null) {
            base = cached.record();
            tag = cached.tag();
            knowledge = Knowledge.STORED;
        }
        decide();
    }

    /**
     * What another engine wrote, as the store told us, unless what we know may be newer: whatever concerns those who wait here has a
     * token above all before it. As good a base as any for a write, which is refused if it is old; and never for an answer that
     * somebody waits for.
     */
    private Optional<Versioned> heard() {
        Optional<Versioned> heard = Optional.empty();
        for (QueuedCommand<?> queued : commands) {
            heard = queued.heard.isPresent() ? queued.heard : heard;
        }
        Versioned cached = queue.cached();
        return heard.filter(it -> !parts.traits().exclusive()
                && (cached == null
                        || it.record().fence().compareTo(cached.record().fence()) > 0));
    }

    /** Only those who wait here look at it, and they ask when they see something. */
    private boolean onlyHeard() {
        for (QueuedCommand<?> queued : commands) {
            if (queued.heard.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whoever does not want to wait is not made to. */
    private boolean onlyWaits() {
        for (QueuedCommand<?> queued : commands) {
            if (!queued.waits()) {
                return false;
            }
        }
        return true;
    }

    private boolean onlyAcquires() {
        for (QueuedCommand<?> queued : commands) {
            if (!(queued.command instanceof Command.Acquire) && !(queued.command instanceof Command.Reacquire)) {
                return false;
            }
        }
        return true;
    }

    // ---- decide

    private void decide() {
        Anchor anchor = Anchor.of(parts.machine().time());
        Optional<StoreClock.Reading> reading = parts.store().clock().now();
        if (reading.isEmpty()) {
            measure();
            return;
        }
        Choice choice = choose(reading.get(), anchor);
        if (base.isNewer() && fresh) {
            failAll(said.newer(base));
        } else if (base.isNewer()) {
            read();
        } else if (!choice.changed()) {
            answerWithoutWriting(anchor);
        } else if (knowledge == Knowledge.ASSUMED && !choice.record().past().equals(Past.NONE)) {
            read(); // the store keeps what it remembers only if we add nothing to it
        } else {
            write(choice);
        }
    }

    /** What the rules make of the base. */
    private record Choice(
            LockRecord record, List<LockEvent> events, Optional<Instant> notBefore, boolean changed, Anchor anchor) {}

    private Choice choose(StoreClock.Reading reading, Anchor anchor) {
        Moment now = moment(reading, anchor.nanos());
        DecidingEngine here = queue.here();
        LockRecord record = base;
        List<LockEvent> events = List.of();
        Optional<Instant> notBefore = Optional.empty();
        boolean changed = false;
        for (QueuedCommand<?> queued : commands) {
            Decision<?> decision = queued.decide(parts.rules(), parts.judgement(), record, now, here);
            record = decision.record();
            changed |= decision.changed();
            notBefore = Decision.later(notBefore, decision.notBefore());
            if (events.isEmpty()) {
                events = decision.events();
            } else if (!decision.events().isEmpty()) {
                events = new ArrayList<>(events);
                events.addAll(decision.events());
            }
        }
        for (Precondition doubt : queue.doubts()) {
            Optional<LockRecord> burnt = parts.judgement().burn(record, knowledge == Knowledge.STORED, doubt);
            record = burnt.orElse(record);
            changed |= burnt.isPresent();
        }
        return new Choice(record, events, notBefore, changed, anchor);
    }

    private Moment moment(StoreClock.Reading reading, long now) {
        if (reading.trustedSince().equals(Instant.MIN) && !Moment.isFromTheFuture(base, reading.latest())) {
            return parts.judgement().moment(reading, Set.of(), Map.of());
        }
        Observation seen = queue.observation();
        if (fresh
                || (parts.traits().exclusive()
                        && knowledge == Knowledge.STORED)) { // what only we can write is as we know it
            seen.note(base, now);
        }
        return parts.judgement().moment(reading, seen.outlived(base, now), seen.silent(now));
    }

    private void measure() {
        parts.io(
                calling,
                () -> Stages.then(
                        Stages.from(() -> parts.store().clock().measure()),
                        (done, failure) -> guarded(() -> measured(failure))));
    }

    private void measured(@Nullable Throwable failure) {
        if (failure != null) {
            failed(failure);
        } else if (parts.store().clock().now().isEmpty()) {
            failed(said.noTime());
        } else {
            decide();
        }
    }

    private void answerWithoutWriting(Anchor anchor) {
        boolean exclusive = parts.traits().exclusive() && knowledge != Knowledge.ASSUMED;
        if (parts.judgement().mayAnswer(fresh, exclusive)) {
            if (fresh) {
                queue.cache(knowledge == Knowledge.STORED ? new Versioned(base, tag) : null);
                queue.noDoubts();
            }
            answer(base, anchor, List.of(), false);
        } else if (onlyHeard()) {
            answer(base, anchor, List.of(), false);
        } else {
            read();
        }
    }

    // ---- write

    private void write(Choice choice) {
        SentWrite sent = attempt(choice);
        synchronized (this) {
            attempt = sent;
            awaiting = true;
        }
        Calling how = calling;
        calling = Calling.ASYNC; // the answer may come on any thread
        batcher().submit(sent.write(), this, how);
    }

    @Override
    public void sent() {
        askedStore();
    }

    @Override
    public void done(@Nullable WriteResult result, @Nullable Throwable failure) {
        storeAnswered();
        guarded(() -> written(answered(), result, failure));
    }

    private void askedStore() {
        if (isTimed()) {
            asked = parts.machine().time().nanos();
        }
    }

    private void storeAnswered() {
        if (asked != 0) { // else it never left
            inStore += parts.machine().time().nanos() - asked;
            asked = 0;
        }
    }

    private boolean isTimed() {
        return parts.meter().slowNanos() != Long.MAX_VALUE;
    }

    /** For whoever looks for what holds callers up. */
    private void tellSlow(List<QueuedCommand<?>> told, boolean failed) {
        if (isTimed()) {
            long now = parts.machine().time().nanos();
            for (QueuedCommand<?> queued : told) {
                queued.slow(parts, queue.key, now, inStore, failed).ifPresent(parts.meter()::slow);
            }
        }
    }

    private SentWrite attempt(Choice choice) {
        LockRecord stamped = choice.record().stamped(parts.newStamp());
        Watchable.Wake wake =
                any(Command.ForceRelease.class) ? Watchable.Wake.EVERYBODY : offersElsewhere(choice.record());
        boolean samePast =
                knowledge == Knowledge.STORED && choice.record().past().equals(base.past());
        Write write = Write.of(precondition(stamped, choice.notBefore()), stamped)
                .withEvents(parts.config().history() ? choice.events() : List.of())
                .withWake(wake)
                .withSamePast(samePast)
                .withAgain(this::insteadOf);
        return new SentWrite(
                parts.traits().blocking() ? write.withText() : write, stamped, choice.events(), choice.anchor());
    }

    /** From now on the write under way is not changed any more. */
    private synchronized SentWrite answered() {
        awaiting = false;
        return Objects.requireNonNull(attempt);
    }

    /**
     * Asked by a store that refuses our write and has the record locked: the rules decide at once on what is there. Nothing else
     * happens in this round meanwhile. What needs more than a write takes the ordinary way, and so does what goes wrong here: the
     * refusal leads to the same decision.
     */
    private synchronized Optional<Write> insteadOf(Optional<Versioned> current) {
        SentWrite refused = attempt;
        Optional<StoreClock.Reading> reading = parts.store().clock().now();
        if (!awaiting
                || over
                || reading.isEmpty()
                || isOurs(refused, current)
                || !queue.doubts().isEmpty()
                || current.filter(it -> it.record().isNewer()).isPresent()) {
            return Optional.empty();
        }
        try {
            foreign = true;
            take(current);
            fresh = true;
            Choice choice = choose(reading.get(), Anchor.of(parts.machine().time()));
            if (!choice.changed()) {
                return Optional.empty();
            }
            parts.meter().retried(queue.key);
            SentWrite instead = attempt(choice);
            attempt = instead;
            return Optional.of(instead.write());
        } catch (RuntimeException e) {
            return Optional.empty(); // told where the refusal is dealt with, by the same decision
        }
    }

    /**
     * The engines of callers whom this write offers the lock in another process. Only those have to hear of it at once: who
     * still waits afterwards has nothing to do, and looks from time to time anyway.
     */
    private Watchable.Wake offersElsewhere(LockRecord after) {
        Set<EngineId> engines = Set.of();
        for (Hold hold : after.holds()) {
            if (hold.phase() == Hold.Phase.OFFERED && base.hold(hold.leaseId()).isEmpty()) {
                EngineId engine = hold.ticket().orElseThrow().engine();
                if (!engine.equals(parts.id())) {
                    engines = engines.isEmpty() ? new HashSet<>() : engines;
                    engines.add(engine);
                }
            }
        }
        return engines.isEmpty() ? Watchable.Wake.NOBODY : new Watchable.Wake(false, engines);
    }

    private WriteBatcher batcher() {
        for (QueuedCommand<?> queued : commands) {
            if (!(queued.command instanceof Command.Renew) && !(queued.command instanceof Command.Extend)) {
                return parts.writes();
            }
        }
        return parts.renewals();
    }

    private Precondition precondition(LockRecord next, Optional<Instant> notBefore) {
        return switch (knowledge) {
            case STORED -> new Precondition.Stamped(base.stamp(), tag, notBefore);
            case ABSENT -> new Precondition.Absent();
            case ASSUMED -> {
                List<LeaseId> leases = new ArrayList<>(commands.size());
                for (QueuedCommand<?> queued : commands) {
                    if (queued.command instanceof Command.Acquire ask) {
                        leases.add(ask.leaseId());
                    }
                }
                yield new Precondition.IdleBelow(next.fence(), leases);
            }
        };
    }

    private void written(SentWrite sent, @Nullable WriteResult result, @Nullable Throwable failure) {
        if (result instanceof WriteResult.Applied applied) {
            LockRecord stored = applied.kept().map(sent.stamped()::withPast).orElse(sent.stamped());
            applied(sent, new Versioned(stored, applied.tag()));
        } else if (result instanceof WriteResult.Refused refused) {
            refused(sent, refused.current());
        } else if (result instanceof WriteResult.TooEarly) {
            lastFailure = said.early();
            parts.io(
                    Calling.ASYNC,
                    () -> Stages.then(
                            Stages.from(() -> parts.store().clock().measure()),
                            (done, ignored) -> guarded(this::stepAside)));
        } else {
            Throwable cause = failure == null ? new IllegalStateException("no result") : failure;
            if (!(cause instanceof StoreUnavailableException) && !(cause instanceof StoreUnusableException)) {
                queue.doubt(sent.write().precondition());
                queue.cache(null);
                commands.forEach(queued -> queued.doubt(base, sent.stamped()));
            }
            failed(cause);
        }
    }

    private void applied(SentWrite sent, Versioned stored) {
        queue.cache(stored);
        queue.noDoubts();
        queue.wrote(sent.anchor());
        answer(stored.record(), sent.anchor(), sent.events(), true);
    }

    private void refused(SentWrite sent, Optional<Versioned> current) {
        if (isOurs(sent, current)) {
            applied(sent, current.get()); // sent twice on the way
            return;
        }
        boolean unchanged = knowledge == Knowledge.STORED
                && current.isPresent()
                && current.get().record().stamp().equals(base.stamp());
        foreign = true;
        lastFailure = null; // the store works: it has just judged a write
        take(current);
        fresh = !unchanged; // an old copy came with the refusal: it tells that we lost, not what is there now
        stepAside();
    }

    private static boolean isOurs(@Nullable SentWrite sent, Optional<Versioned> current) {
        return sent != null
                && current.isPresent()
                && current.get().record().stamp().equals(sent.stamped().stamp());
    }

    /** Lost against another writer: once more, soon. */
    private void stepAside() {
        Optional<Duration> pause = backoff.afterConflict(
                commands, base, attempt == null ? Optional.empty() : Optional.of(attempt.anchor()));
        if (pause.isEmpty()) {
            failAll(lastFailure);
        } else if (pause.get().isZero()) {
            parts.io(Calling.ASYNC, () -> guarded(this::again));
        } else {
            fresh = false; // what came with the refusal is old by then, and would be refused again
            later(pause.get(), this::again);
        }
    }

    private void later(Duration delay, Runnable step) {
        parts.machine().after(delay, () -> guarded(() -> parts.io(Calling.ASYNC, () -> guarded(step))));
    }

    private void again() {
        parts.meter().retried(queue.key);
        if (dropOverdue()) {
            return;
        }
        if (!queue.doubts().isEmpty() || (knowledge == Knowledge.STORED && !fresh && backoff.hasLost())) {
            read();
        } else {
            decide();
        }
    }

    // ---- read

    private void read() {
        askedStore();
        parts.io(
                calling,
                () -> Stages.then(
                        parts.measured(
                                EngineMeter.Operation.READ,
                                1,
                                () -> parts.store().read(queue.key)),
                        (current, failure) -> guarded(() -> {
                            storeAnswered();
                            if (failure != null) {
                                failed(failure);
                            } else if (current != null) {
                                afterRead(current);
                            }
                        })));
    }

    private void afterRead(Optional<Versioned> current) {
        SentWrite sent = attempt;
        if (sent != null && isOurs(sent, current)) {
            applied(sent, current.get()); // its answer got lost, it did not
            return;
        }
        foreign = true;
        take(current);
        fresh = true;
        decide();
    }

    private void take(Optional<Versioned> current) {
        base = current.map(Versioned::record).orElseGet(() -> LockRecord.empty(queue.key));
        tag = current.map(Versioned::tag).orElse("");
        knowledge = current.isPresent() ? Knowledge.STORED : Knowledge.ABSENT;
    }

    // ---- failure

    private void failed(Throwable failure) {
        if (failure instanceof StoreUnusableException && queue.doubts().isEmpty()) {
            failAll(failure);
            return;
        }
        lastFailure = failure;
        if (dropOverdue()) {
            return;
        }
        later(backoff.afterFailure(commands), this::again);
    }

    /** Tells the callers whose time is up; true if none is left. */
    private boolean dropOverdue() {
        long now = parts.machine().time().nanos();
        List<QueuedCommand<?>> left = new ArrayList<>(commands.size());
        List<QueuedCommand<?>> overdue = new ArrayList<>(0);
        for (QueuedCommand<?> queued : commands) {
            (queued.deadline - now > 0 ? left : overdue).add(queued);
        }
        if (overdue.isEmpty()) {
            return false;
        }
        commands = left;
        Anchor anchor = Anchor.of(parts.machine().time());
        for (QueuedCommand<?> queued : overdue) {
            fail(queued, lastFailure, anchor);
        }
        if (left.isEmpty()) {
            roundOver(null);
        }
        return left.isEmpty();
    }

    private void failAll(@Nullable Throwable failure) {
        Anchor anchor = Anchor.of(parts.machine().time());
        for (QueuedCommand<?> queued : commands) {
            fail(queued, failure, anchor);
        }
        roundOver(null);
    }

    /** Without a failure, it was only outrun by other writers. */
    private void fail(QueuedCommand<?> queued, @Nullable Throwable failure, Anchor anchor) {
        boolean inDoubt = !queue.doubts().isEmpty();
        queued.outrun = failure == null && !inDoubt;
        tellSlow(List.of(queued), true);
        queued.fail(said.why(failure, inDoubt, backoff.conflicts()), parts.judgement(), anchor, base);
    }

    // ---- answer

    private void answer(LockRecord record, Anchor decided, List<LockEvent> events, boolean changed) {
        Anchor start = parts.judgement().leaseStart(decided, parts.machine().time());
        if (!events.isEmpty()) {
            parts.happened().accept(events);
        }
        tellSlow(commands, false);
        new Delivery(commands, base, record, start, said).tell(changed, queue);
        roundOver(record);
    }

    private boolean any(Class<?> kind) {
        for (QueuedCommand<?> queued : commands) {
            if (kind.isInstance(queued.command)) {
                return true;
            }
        }
        return false;
    }
}
