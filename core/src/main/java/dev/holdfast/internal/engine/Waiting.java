package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.Anchor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The callers of this process who wait for one lock. Each is parked (it has a place in the stored queue, or is on its way
 * there) or stands outside (the stored queue is full), in order. A timer looks at the record when the next hold ends, and
 * as often as the store needs polling; a notification makes it look sooner.
 */
final class Waiting {
    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final KeyQueue queue;
    private final EngineParts parts;
    private final AtomicInteger inAll;

    private final Map<LeaseId, ParkedCaller> parked = new LinkedHashMap<>();
    /** By arrival. */
    private final TreeMap<Long, ParkedCaller> outside = new TreeMap<>();

    private final Map<LeaseId, ParkedCaller.KeptPlace> kept = new LinkedHashMap<>();
    /** What the rules may grant in full: those parked. */
    private final Map<LeaseId, DecidingEngine.Parking> parkings = new ConcurrentHashMap<>(2);

    private final WaitPoll poll;
    private long arrivals;
    private volatile int size;
    /** All have left; places that were kept here may be gone on with in another process. */
    private boolean closed;
    /** The record that had no room for one of us; until it changes it has none for the next either. */
    private Stamp fullAt = Stamp.NONE;

    Waiting(KeyQueue queue, AtomicInteger inAll) {
        this.queue = queue;
        this.parts = queue.parts;
        this.inAll = inAll;
        this.poll = new WaitPoll(queue.key, queue.parts);
    }

    Map<LeaseId, DecidingEngine.Parking> parkings() {
        return parkings;
    }

    /** Whether nobody waits and no place is kept. Asked under the monitor of the queue, so it takes none of its own. */
    boolean isEmpty() {
        return size == 0;
    }

    private void count() {
        size = parked.size() + outside.size() + kept.size();
    }

    synchronized boolean knows(LeaseId leaseId) {
        return closed || parked.containsKey(leaseId) || kept.containsKey(leaseId);
    }

    // ---- coming

    /** Waits for the lock; empty if the queue was retired meanwhile and another must be asked for. */
    Optional<ParkedCaller> park(Command.Acquire ask, Request request, Calling calling) {
        ParkedCaller caller;
        boolean joins;
        synchronized (this) {
            Optional<ParkedCaller> before = comeBack(ask.leaseId());
            caller = new ParkedCaller(
                    ask,
                    request.cause(),
                    request.keepPlace(),
                    before.map(earlier -> earlier.order).orElseGet(() -> arrivals++));
            caller.handedBefore = before.map(earlier -> earlier.handedBefore).orElse(false);
            before.ifPresent(earlier -> moveOn(earlier, caller));
            boolean full = before.isEmpty() && isFull();
            if (full) {
                caller.overCapacity = true;
            }
            inAll.incrementAndGet();
            joins = outside.isEmpty()
                    || full
                    || before.map(ParkedCaller::hasPlace).orElse(false);
            if (joins) {
                enter(caller);
            } else {
                outside.put(caller.order, caller);
            }
            count();
        }
        if (queue.isRetired()) {
            remove(caller);
            return Optional.empty();
        }
        if (joins) {
            join(caller, calling);
        }
        synchronized (this) {
            if (isHere(caller)) {
                caller.timeout = parts.machine().after(request.waitFor(), () -> timeUp(caller));
            }
        }
        return Optional.of(caller);
    }

    /** The earlier call of the same acquisition, whose place this one takes over. */
    private Optional<ParkedCaller> comeBack(LeaseId leaseId) {
        ParkedCaller.KeptPlace place = kept.remove(leaseId);
        if (place != null) {
            inAll.decrementAndGet();
            place.expiry.cancel();
            place.caller.handedBefore = place.granted != null;
            return Optional.of(place.caller);
        }
        return Optional.ofNullable(parked.get(leaseId));
    }

    /** A later call of the same acquisition goes on in the place of this one, which hears so if it is still here. */
    private void moveOn(ParkedCaller before, ParkedCaller later) {
        before.successor = later;
        if (!isHere(before)) {
            return;
        }
        leave(before);
        if (before.keepPlace.isZero()) {
            before.told.completeExceptionally(
                    new CancellationException("the same lease id was asked for again; the later call goes on waiting"));
        } else {
            before.told.complete(movedOn(before));
        }
    }

    /** What a call hears whose place a later call of the same acquisition has taken over. */
    private Answer<AcquireResult> movedOn(ParkedCaller before) {
        AcquireResult.Queued last = before.last;
        return new Answer<>(
                last == null ? new AcquireResult.Queued(1, List.of()) : last,
                Anchor.of(parts.machine().time()),
                LockRecord.empty(queue.key));
    }

    private boolean isFull() {
        return parked.size() + outside.size() + kept.size() >= parts.config().waitersPerKey()
                || inAll.get() >= parts.config().waiters();
    }

    private void enter(ParkedCaller caller) {
        caller.asking = true;
        ParkedCaller before = parked.get(caller.ask.leaseId());
        if (before != null) { // both stood outside
            moveOn(before, caller);
        }
        parked.put(caller.ask.leaseId(), caller);
        parkings.put(caller.ask.leaseId(), new DecidingEngine.Parking(caller.ask.terms(), caller.cause));
    }

    private void join(ParkedCaller caller, Calling calling) {
        Command.Acquire ask = caller.overCapacity ? withoutWaiting(caller.ask) : caller.ask;
        QueuedCommand<AcquireResult> asked = new QueuedCommand<>(ask, caller.cause, parts.deadline());
        Stages.then(asked.future, (answer, failure) -> {
            if (failure != null) {
                failed(caller, asked, failure);
            } else if (answer != null) {
                answered(caller, answer);
            }
        });
        queue.submit(asked, calling);
    }

    private void answered(ParkedCaller caller, Answer<AcquireResult> told) {
        Answer<AcquireResult> answer = forTheFirstTime(caller, told);
        AcquireResult result = answer.result();
        synchronized (this) { // at once: in between it would look like one without a place
            caller.asking = false;
            if (result instanceof AcquireResult.Queued queued) {
                caller.last = queued;
            }
        }
        if (result instanceof AcquireResult.Queued) {
            leaveIfTimeIsUp(caller);
        } else if (result instanceof AcquireResult.Busy busy && busy.full() && !caller.overCapacity) {
            standOutside(caller, answer.record().stamp());
            leaveIfTimeIsUp(caller);
        } else if (remove(caller)) {
            tell(caller, caller.overCapacity ? tooMany(answer) : answer);
        } else if (result instanceof AcquireResult.Granted granted && isNobodys(caller, granted)) {
            giveBack(granted.hold());
        }
    }

    private void leaveIfTimeIsUp(ParkedCaller caller) {
        if (caller.timeIsUp) {
            timeUp(caller);
        }
    }

    /** Busy, and no room to wait either. */
    private static Answer<AcquireResult> tooMany(Answer<AcquireResult> answer) {
        return answer.result() instanceof AcquireResult.Busy busy
                ? new Answer<>(
                        new AcquireResult.Busy(busy.holders(), busy.queueLength(), true),
                        answer.anchor(),
                        answer.record())
                : answer;
    }

    /** A grant that came too late for the call that asked, unless the same acquisition has it or waits for it otherwise. */
    private synchronized boolean isNobodys(ParkedCaller caller, AcquireResult.Granted granted) {
        ParkedCaller.KeptPlace place = kept.get(caller.ask.leaseId());
        if (place != null) {
            place.granted = granted.hold();
        }
        ParkedCaller later = caller.successor;
        if (later != null && !granted.again()) {
            // It will find it held, and is the first to be told, or gives it back if it has left.
            later.handedBefore = true;
        }
        return place == null && !caller.granted && later == null && !granted.again();
    }

    /** What was handed to a place between two calls is found held, but nobody was told of it. */
    private synchronized Answer<AcquireResult> forTheFirstTime(ParkedCaller caller, Answer<AcquireResult> answer) {
        return caller.handedBefore && answer.result() instanceof AcquireResult.Granted granted
                ? new Answer<>(granted.forTheFirstTime(), answer.anchor(), answer.record())
                : answer;
    }

    private synchronized void standOutside(ParkedCaller caller, Stamp full) {
        fullAt = full;
        if (parked.remove(caller.ask.leaseId(), caller)) {
            parkings.remove(caller.ask.leaseId());
            caller.asking = false;
            outside.put(caller.order, caller);
        }
    }

    private void failed(ParkedCaller caller, QueuedCommand<AcquireResult> asked, Throwable failure) {
        if (asked.outrun && goesOnAsking(caller)) {
            return;
        }
        boolean here = remove(caller);
        if (here || isUnclearAndUnwanted(caller, failure)) {
            // It may have been queued or granted all the same.
            parts.post(queue.key, asked.giveBack(caller.ask.leaseId()));
        }
        if (here) {
            caller.told.completeExceptionally(failure);
        }
    }

    /** It left before it could be told that nothing is known. */
    private synchronized boolean isUnclearAndUnwanted(ParkedCaller caller, Throwable failure) {
        return failure instanceof OutcomeUnknownException && !caller.granted && caller.successor == null;
    }

    /** Who came to wait is not sent away because many others came too: it tries for a place until its time is up. */
    private synchronized boolean goesOnAsking(ParkedCaller caller) {
        boolean goesOn = isHere(caller) && !caller.timeIsUp && !caller.overCapacity;
        if (goesOn) {
            ask(caller);
        }
        return goesOn;
    }

    // ---- going

    /**
     * The caller waits no longer; if it may come back, its place is kept. While its own question is under way nothing is known of
     * its place: a store that reads well and fails to write would look like a lock that is busy. So the answer is waited for, or
     * the failure, which comes within the time of an operation.
     */
    void timeUp(ParkedCaller caller) {
        boolean mayComeBack = !caller.keepPlace.isZero() && !caller.overCapacity;
        synchronized (this) {
            if (caller.asking && isHere(caller)) {
                caller.timeIsUp = true;
                return;
            }
            if (!remove(caller)) {
                return;
            }
            if (mayComeBack) {
                keep(caller);
            }
        }
        if (mayComeBack) {
            tellPlace(caller);
            return;
        }
        var unused = parts.leftovers().giveUp(() -> {
            CompletableFuture<Void> left = new CompletableFuture<>();
            Stages.then(withdraw(caller.ask.leaseId()), (answer, failure) -> {
                try {
                    if (failure != null) {
                        caller.told.completeExceptionally(failure);
                    } else if (answer != null) {
                        left(caller, answer);
                    }
                } finally {
                    left.complete(null);
                }
            });
            return left;
        });
    }

    /** It has no place any more, and hears that it is busy, unless it was handed the lock before. */
    private void left(ParkedCaller caller, Answer<ReleaseResult> answer) {
        Optional<Hold> handedOver = answer.record().hold(caller.ask.leaseId()).filter(Hold::isHeld);
        if (handedOver.isEmpty()) {
            AcquireResult.Busy busy = LockRules.busy(answer.record(), caller.ask.scope());
            caller.told.complete(new Answer<>(busy, answer.anchor(), answer.record()));
        } else if (caller.told.isDone()) { // it went away
            giveBack(handedOver.get());
        } else {
            takeHandedOver(caller);
        }
    }

    /** The lock was handed to it by a write whose answer got lost, so nobody told it: it asks once more, and has it. */
    private void takeHandedOver(ParkedCaller caller) {
        caller.handedBefore = true;
        QueuedCommand<AcquireResult> asked =
                new QueuedCommand<>(withoutWaiting(caller.ask), caller.cause, parts.deadline());
        Stages.then(asked.future, (answer, failure) -> {
            if (answer != null) {
                tell(caller, forTheFirstTime(caller, answer));
            } else if (failure != null) {
                caller.told.completeExceptionally(failure);
            }
        });
        parts.router().submit(queue.key, asked, Calling.ASYNC);
    }

    private static Command.Acquire withoutWaiting(Command.Acquire ask) {
        return new Command.Acquire(ask.leaseId(), ask.scope(), ask.owner(), ask.terms(), Optional.empty());
    }

    /** Where it stands now: what it was told when it came is old. */
    private void tellPlace(ParkedCaller caller) {
        Stages.then(parts.send(queue.key, new Command.Touch(parts.config().staleAfter())), (answer, failure) -> {
            if (failure != null) {
                caller.told.completeExceptionally(failure);
            } else if (answer != null) {
                LockRecord record = answer.record();
                List<Hold> inTheWay = LockRules.busy(record, caller.ask.scope()).holders();
                caller.told.complete(new Answer<>(
                        new AcquireResult.Queued(position(caller, record), inTheWay), answer.anchor(), record));
            }
        });
    }

    private synchronized int position(ParkedCaller caller, LockRecord record) {
        int stored = record.position(caller.ask.leaseId());
        if (stored > 0 || record.hold(caller.ask.leaseId()).isPresent()) {
            return Math.max(1, stored); // what it was handed meanwhile, it finds when it asks again
        }
        return record.queue().size() + outside.headMap(caller.order).size() + 1;
    }

    /** The caller went away: its place, or what it was granted meanwhile, is given up. */
    void cancel(ParkedCaller caller) {
        var unused = parts.leftovers().giveUp(() -> {
            CompletableFuture<?> left = remove(caller) ? withdraw(caller.ask.leaseId()) : NOTHING;
            boolean untold = caller.told.completeExceptionally(new CancellationException("no longer waited for"));
            return untold ? left : caller.told.thenCompose(this::takenBack);
        });
    }

    /** Tells the caller; what it is granted is nobody's if it went away meanwhile. */
    private void tell(ParkedCaller caller, Answer<AcquireResult> answer) {
        if (!caller.told.complete(answer)) {
            var unused = takenBack(answer);
        }
    }

    private CompletableFuture<Void> takenBack(Answer<AcquireResult> answer) {
        return answer.result() instanceof AcquireResult.Granted granted && !granted.again()
                ? parts.giveUp(queue.key, Command.GiveBack.of(granted.hold()))
                : NOTHING;
    }

    /** The engine closes: all leave, but for places kept between two calls: those may go on in another process. */
    void cancelAll() {
        List<ParkedCaller> all;
        synchronized (this) {
            all = new ArrayList<>(parked.values());
            all.addAll(outside.values());
            kept.forEach((leaseId, place) -> {
                place.expiry.cancel();
                if (place.granted != null) {
                    giveBack(place.granted);
                }
            });
            inAll.addAndGet(-kept.size());
            kept.clear();
            closed = true;
            count();
        }
        for (ParkedCaller caller : all) {
            if (remove(caller)) {
                var unused = parts.leftovers().giveUp(() -> withdraw(caller.ask.leaseId()));
                caller.told.completeExceptionally(parts.closedException());
            }
        }
    }

    /** Keeps the place of a caller who will ask again, for a while. */
    private void keep(ParkedCaller caller) {
        LeaseId leaseId = caller.ask.leaseId();
        ParkedCaller.KeptPlace place = new ParkedCaller.KeptPlace(caller);
        kept.put(leaseId, place);
        inAll.incrementAndGet();
        count();
        place.expiry = parts.machine().after(caller.keepPlace, () -> {
            boolean over;
            Hold granted;
            synchronized (this) {
                over = kept.remove(leaseId, place);
                if (over) {
                    inAll.decrementAndGet();
                }
                count();
                granted = place.granted;
            }
            if (over && granted != null) {
                giveBack(granted);
            } else if (over) {
                parts.post(queue.key, new Command.Withdraw(leaseId));
            }
        });
    }

    /** How to give up a place for somebody else: what was handed to one that is kept here is given back, as nobody was told of it. */
    synchronized Command<ReleaseResult> leave(Command.Withdraw ask) {
        ParkedCaller.KeptPlace place = kept.remove(ask.leaseId());
        if (place == null) {
            return ask;
        }
        place.expiry.cancel();
        inAll.decrementAndGet();
        count();
        return place.granted == null ? ask : Command.GiveBack.of(place.granted);
    }

    private CompletableFuture<Answer<ReleaseResult>> withdraw(LeaseId leaseId) {
        return parts.send(queue.key, new Command.Withdraw(leaseId));
    }

    private void giveBack(Hold hold) {
        parts.post(queue.key, Command.GiveBack.of(hold));
    }

    private synchronized boolean remove(ParkedCaller caller) {
        boolean was = isHere(caller);
        if (was) {
            leave(caller);
        }
        return was;
    }

    private boolean isHere(ParkedCaller caller) {
        return parked.get(caller.ask.leaseId()) == caller || outside.get(caller.order) == caller;
    }

    private void leave(ParkedCaller caller) {
        if (parked.remove(caller.ask.leaseId(), caller)) {
            parkings.remove(caller.ask.leaseId());
        } else {
            outside.remove(caller.order);
        }
        count();
        if (size == 0) {
            poll.rest();
        }
        inAll.decrementAndGet();
        if (caller.timeout != null) {
            caller.timeout.cancel();
        }
    }

    // ---- being told

    /** A round of this engine handed the lock to a caller parked here. */
    void granted(Hold hold, Anchor start, LockRecord record) {
        ParkedCaller caller;
        synchronized (this) {
            caller = parked.get(hold.leaseId());
            if (caller != null) {
                caller.granted = true;
                leave(caller);
            } else {
                ParkedCaller.KeptPlace place = kept.get(hold.leaseId());
                if (place != null) {
                    place.granted = hold; // between two polls: the next one finds it held
                    return;
                }
            }
        }
        if (caller == null) {
            giveBack(hold); // it left while the lock was being handed to it
        } else {
            tell(
                    caller,
                    new Answer<>(new AcquireResult.Granted(hold, record.past().done()), start, record));
        }
    }

    /** The place of this acquisition was given up by its lease id; whoever waits for it here hears so. */
    void abandoned(LeaseId leaseId, Anchor at, LockRecord record) {
        ParkedCaller caller;
        synchronized (this) {
            caller = parked.get(leaseId);
            if (caller != null) {
                leave(caller);
            }
        }
        if (caller != null) {
            caller.told.complete(new Answer<>(new AcquireResult.Lost(LostReason.ABANDONED), at, record));
        }
    }

    /** Looks at the record after a round: claims what was offered, lets in who stands outside, sets the timer. */
    void look(LockRecord record, boolean foreign) {
        synchronized (this) {
            if (foreign) {
                List.copyOf(parked.values()).forEach(caller -> check(caller, record));
            }
            if (!record.stamp().equals(fullAt)) {
                letIn(LockRecord.MAX_QUEUE - record.queue().size());
            }
            if (size == 0) {
                poll.rest();
            } else {
                poll.plan(record);
            }
        }
    }

    /** As many as there are places, less those already on their way: they came first. */
    private void letIn(int places) {
        if (outside.isEmpty()) {
            return;
        }
        long entering =
                parked.values().stream().filter(ParkedCaller::isEntering).count();
        for (long free = places - entering; free > 0 && !outside.isEmpty(); free--) {
            ParkedCaller caller = outside.pollFirstEntry().getValue();
            enter(caller);
            ask(caller);
        }
    }

    /** Another engine wrote the record: does it offer us the lock, or has it dropped our place? */
    private void check(ParkedCaller caller, LockRecord record) {
        if (caller.last != null && !caller.asking && record.position(caller.ask.leaseId()) == 0) {
            ask(caller);
        }
    }

    /** Only queues the question: a round is ending, and its queue asks in the order it was asked. */
    private void ask(ParkedCaller caller) {
        caller.asking = true;
        join(caller, Calling.ASYNC);
    }

    // ---- looking again

    /** After a failure nothing is known of the record. */
    synchronized void lookAgainLater() {
        if (size > 0) {
            poll.planBlind();
        }
    }

    /** The store says that the record changed, and perhaps to what. */
    void lookNow(Optional<Versioned> heard) {
        if (size > 0) {
            poll.look(heard);
        }
    }
}
