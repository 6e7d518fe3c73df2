package dev.holdfast.server.state;

import dev.holdfast.engine.Answer;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.engine.Request;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.ReleaseResult;
import dev.holdfast.server.observe.Meters;
import dev.holdfast.server.observe.Outcome;
import dev.holdfast.server.observe.Release;
import dev.holdfast.server.observe.Renewal;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.state.ClaimOutcome;
import dev.holdfast.state.Refused;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateManager;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of stacks as terraform takes them: by an ID of its own, without end and without heartbeats, asking again and again
 * while another holds. Who holds has claimed the stack before it is told so. Calls block.
 */
final class StackLocks {
    private static final Logger LOG = LoggerFactory.getLogger(StackLocks.class);
    /** Long enough for a store to answer; a caller who waits is told to come back after this. */
    private static final Duration A_MOMENT = Duration.ofMillis(50);
    /** A place that lapses just now is asked for again under another lease id. */
    private static final int MAX_ROUNDS = 4;
    /** Locks taken back before their caller was told, remembered so that it may try again. */
    private static final int MAX_UNUSED = 1_000;

    private final LockEngine engine;
    private final StateManager states;
    private final LockInfos infos;
    private final Meters meters;
    private final Duration staleAfter;
    private final Polls polls = new Polls(System::nanoTime);
    private final RecentIds unused = new RecentIds(MAX_UNUSED);

    StackLocks(LockEngine engine, StateManager states, LockInfos infos, Meters meters, Duration staleAfter) {
        this.engine = engine;
        this.states = states;
        this.infos = infos;
        this.meters = meters;
        this.staleAfter = staleAfter;
    }

    // ---- taking

    /** Takes the lock, or tells who has it. Who asks again has a place in the queue from then on. */
    Taking take(Stack stack, LockInfo info, String caller, Cause cause) {
        Optional<Hold> heldOtherwise = LockIds.hold(record(stack), info.id())
                .filter(hold -> hold.isHeld() && hold.scope().equals(Scope.WHOLE) && !LockInfo.isNamed(hold));
        if (heldOtherwise.isPresent()) {
            return claimed(stack, heldOtherwise.get());
        }
        long start = System.nanoTime();
        Outcome outcome = Outcome.ERROR;
        try {
            Answer<AcquireResult> answer = ask(stack, info, caller, cause);
            Taking taking = answer.result()
                    .fold(
                            granted -> taken(stack, granted.hold(), info),
                            queued -> new Taking.Held(infos.inTheWay(stack, queued.holders(), answer.record())),
                            busy -> new Taking.Held(infos.inTheWay(stack, busy.holders(), answer.record())),
                            lost -> new Taking.Over(lost.reason()));
            outcome = answer.result()
                    .fold(
                            granted -> Outcome.GRANTED,
                            queued -> Outcome.QUEUED,
                            busy -> Outcome.BUSY,
                            lost -> Outcome.LOST);
            return taking;
        } finally {
            meters.acquired(stack.lock(), outcome, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    private Answer<AcquireResult> ask(Stack stack, LockInfo info, String caller, Cause cause) {
        RecordKey key = stack.lock().record();
        Polls.Poll poll = polls.poll(stack + " " + info.id());
        Terms terms = info.terms(staleAfter);
        Answer<AcquireResult> answer;
        int round = 0;
        do {
            LockRecord record = record(stack);
            LeaseId lease = LockIds.lease(record, info.id(), unused::contains);
            // Asked for elsewhere before, perhaps: then the place is taken over.
            boolean waits = poll.again()
                    || LockIds.place(record, info.id()).isPresent()
                    || LockIds.hold(record, info.id()).isPresent();
            Request request = new Request(
                    key,
                    lease,
                    Scope.WHOLE,
                    info.who().orElse(caller),
                    terms,
                    waits ? A_MOMENT : Duration.ZERO,
                    waits ? poll.keep() : Duration.ZERO,
                    cause);
            answer = asked(request);
            round++;
        } while (round < MAX_ROUNDS
                && answer.result() instanceof AcquireResult.Lost lost
                && lost.reason() == LostReason.ABANDONED);
        return answer;
    }

    private Answer<AcquireResult> asked(Request request) {
        Answer<AcquireResult> answer = Waited.on(engine.acquire(request, false).answer());
        boolean handedOver = answer.result() instanceof AcquireResult.Queued
                && answer.record().hold(request.leaseId()).filter(Hold::isHeld).isPresent();
        return handedOver // in the moment it was told to come back
                ? Waited.on(engine.acquire(request, false).answer())
                : answer;
    }

    /**
     * A lease of {@code /v2}, whose holder asks for the claim that comes with a lock here. Its time, heartbeats and metadata stay
     * its own: it ends by itself.
     */
    private Taking claimed(Stack stack, Hold hold) {
        ClaimOutcome claim = states.claim(stack, hold.leaseId(), hold.token());
        if (claim instanceof Refused refused) {
            throw new StoreUnavailableException(refused.message(), null);
        }
        return new Taking.Taken();
    }

    /** Nobody is told that it holds before no earlier holder can save any more. */
    private Taking taken(Stack stack, Hold hold, LockInfo info) {
        try {
            ClaimOutcome claim = states.claim(stack, hold.leaseId(), hold.token());
            if (claim instanceof Refused refused) {
                throw new StoreUnavailableException(refused.message(), null);
            }
            infos.keep(stack, hold, info);
        } catch (RuntimeException e) {
            giveBack(stack, hold, e);
            throw e;
        }
        polls.forget(stack + " " + info.id());
        infos.show(stack, hold, info);
        return new Taking.Taken();
    }

    /** The caller will ask again with the same ID, and must be able to take the lock then. */
    private void giveBack(Stack stack, Hold hold, RuntimeException why) {
        unused.add(hold.leaseId());
        try {
            Command<ReleaseResult> lost = new Command.Release(hold.leaseId(), Command.Ending.LOST);
            Waited.on(engine.release(stack.lock().record(), lost, Cause.OWNER));
        } catch (StoreException e) {
            why.addSuppressed(e);
            LOG.warn("The lock of stack {} could not be given back after its claim failed: {}", stack, e.getMessage());
        }
    }

    // ---- looking

    /** The lock as it is. */
    LockRecord record(Stack stack) {
        RecordKey key = stack.lock().record();
        return Waited.on(engine.read(key)).orElseGet(() -> LockRecord.empty(key));
    }

    /** The LockInfo of who holds this stack now. */
    Optional<byte[]> holder(Stack stack) {
        LockRecord record = record(stack);
        return record.holds().isEmpty()
                ? Optional.empty()
                : Optional.of(infos.inTheWay(stack, record.holds(), record));
    }

    /** A sign of life: whoever saves is at work. Its save is done, whatever becomes of this. */
    void alive(Stack stack, LeaseId lease) {
        meters.renewed(stack.lock(), renewed(stack, lease));
    }

    private Renewal renewed(Stack stack, LeaseId lease) {
        try {
            return Waited.on(engine.renew(stack.lock().record(), lease, Optional.empty()))
                    .result()
                    .fold(done -> Renewal.RENEWED, lost -> Renewal.LOST);
        } catch (StoreException e) {
            return Renewal.UNKNOWN;
        }
    }

    // ---- ending

    /** Releases what this ID holds, or its place. True if it holds nothing now that it held; false if it was another's. */
    boolean release(Stack stack, String id, Cause cause) {
        LockRecord record = record(stack);
        Optional<Hold> hold = LockIds.hold(record, id);
        if (hold.isPresent() || LockIds.place(record, id).isPresent()) {
            hold.ifPresent(held -> infos.hide(stack, held));
            LeaseId lease = LockIds.lease(record, id, none -> false);
            Command<ReleaseResult> release = new Command.Release(lease, Command.Ending.RELEASED);
            Answer<ReleaseResult> answer =
                    Waited.on(engine.release(stack.lock().record(), release, cause));
            polls.forget(stack + " " + id);
            record = answer.record();
            if (answer.result() == ReleaseResult.RELEASED) {
                meters.released(Release.RELEASED);
                return true;
            }
        }
        meters.released(Release.NOT_HELD);
        return LockIds.ended(record, id)
                .filter(how -> how == LostReason.RELEASED || how == LostReason.ABANDONED)
                .isPresent();
    }
}
