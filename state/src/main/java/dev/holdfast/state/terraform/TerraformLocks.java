package dev.holdfast.state.terraform;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.terraform.LockDeniedException.Reason;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of stacks as terraform takes them: by an ID of its own, without end and without heartbeats, asking again and again
 * while another holds. Who holds has claimed the stack before it is told so. Whatever answer is lost, the call can be made again: a lock
 * that is held by this ID is granted again, a state that was saved is not saved twice, a lock that was released stays released.
 *
 * <p>Calls block, but for {@link #lock}. They throw {@link LockDeniedException} where the ID is not the caller's to use.
 */
public final class TerraformLocks {
    private static final Logger LOG = LoggerFactory.getLogger(TerraformLocks.class);
    /** A place that lapses just now is asked for again under another lease id. */
    private static final int MAX_ROUNDS = 4;
    /** Locks taken back before their caller was told, remembered so that it may try again. */
    private static final int MAX_UNUSED = 1_000;

    private final LockEngine engine;
    private final StateManager states;
    private final LockInfos infos;
    private final LockHabits habits;
    private final LockMeter meter;
    private final ForceUnlock force;
    private final Polls polls = new Polls(System::nanoTime);
    private final Set<LeaseId> unused =
            Collections.synchronizedSet(Collections.newSetFromMap(RecentMap.inOrderOfInsertion(MAX_UNUSED)));

    /**
     * On the locks of this client.
     *
     * @param engine what the client works with
     * @param states the state they protect
     * @param documents for what terraform says and a lock has no room for
     */
    public TerraformLocks(
            LockClient client,
            LockEngine engine,
            StateManager states,
            DocumentStore documents,
            LockHabits habits,
            LockMeter meter) {
        this.engine = engine;
        this.states = states;
        this.infos = new LockInfos(documents);
        this.habits = habits;
        this.meter = meter;
        this.force = new ForceUnlock(client, engine, states, habits.forceUnlock());
    }

    // ---- taking

    /** Takes the lock, or tells who has it. Who asks again waits a little, and has a place in the queue from then on. */
    public CompletableFuture<LockAttempt> lock(
            LockCaller caller, Stack stack, TerraformLockInfo info, LockWaiting waiting) {
        return waiting.work(() -> claimed(caller, stack, info))
                .thenCompose(claimed -> claimed.map(CompletableFuture::completedFuture)
                        .orElseGet(() -> taken(caller, stack, info, waiting)));
    }

    /**
     * For a lease that was taken in another way, whose holder asks for the claim that comes with a lock here: its time, heartbeats and
     * metadata stay its own, and it ends by itself. Empty if this ID holds no such lease.
     */
    private Optional<LockAttempt> claimed(LockCaller caller, Stack stack, TerraformLockInfo info) {
        return LockIds.hold(record(stack), info.id())
                .filter(hold -> hold.isHeld() && !TerraformLockInfo.isNamed(hold) && caller.mayActOn(hold))
                .map(hold -> states.claim(part(stack, hold), hold.leaseId(), hold.token()))
                .map(claim ->
                        claim instanceof StateRefusal why ? new LockAttempt.Refused(why) : new LockAttempt.Taken());
    }

    private static DeployKey part(Stack stack, Hold hold) {
        try {
            return new DeployKey(stack, hold.scope().paths().get(0));
        } catch (IllegalArgumentException e) {
            throw new LockDeniedException(Reason.NOT_A_PART, String.valueOf(e.getMessage()));
        }
    }

    private CompletableFuture<LockAttempt> taken(
            LockCaller caller, Stack stack, TerraformLockInfo info, LockWaiting waiting) {
        long start = System.nanoTime();
        String asking = asking(stack, info.id());
        LockRequest wish = new LockRequest(caller, stack, info, polls.poll(asking));
        return round(wish, waiting, 1).whenComplete((attempt, failure) -> {
            polls.answered(asking);
            meter.acquired(stack, Optional.ofNullable(attempt), Duration.ofNanos(System.nanoTime() - start));
        });
    }

    private static String asking(Stack stack, String id) {
        return stack + " " + id;
    }

    private record LockRequest(LockCaller caller, Stack stack, TerraformLockInfo info, Polls.Poll poll) {}

    private CompletableFuture<LockAttempt> round(LockRequest wish, LockWaiting waiting, int rounds) {
        return waiting.work(() -> request(wish))
                .thenCompose(request -> waiting.ask(request).thenCompose(answer -> {
                    boolean lapsed =
                            answer.result() instanceof AcquireResult.Lost lost && lost.reason() == LostReason.ABANDONED;
                    return lapsed && rounds < MAX_ROUNDS
                            ? round(wish, waiting, rounds + 1)
                            : waiting.work(() -> told(wish, handedOver(request, answer)));
                }));
    }

    private Request request(LockRequest wish) {
        TerraformLockInfo info = wish.info();
        LockRecord record = record(wish.stack());
        // Asked for at another server before, perhaps: then the place is taken over.
        boolean waits = wish.poll().again()
                || LockIds.place(record, info.id()).isPresent()
                || LockIds.hold(record, info.id()).isPresent();
        return new Request(
                wish.stack().lock().record(),
                LockIds.lease(record, info.id(), unused::contains),
                Scope.WHOLE,
                info.who().orElse(wish.caller().name()),
                info.terms(habits.staleAfter()).by(wish.caller().account()),
                waits ? habits.lockWait() : Duration.ZERO,
                waits ? wish.poll().keep() : Duration.ZERO,
                wish.caller().cause());
    }

    /** What was handed over in the very moment its caller was told to come back is its own already. */
    private Answer<AcquireResult> handedOver(Request request, Answer<AcquireResult> answer) {
        boolean holds = answer.result() instanceof AcquireResult.Queued
                && answer.record().hold(request.leaseId()).filter(Hold::isHeld).isPresent();
        return holds ? Uninterruptibly.answer(engine.acquire(request).answer()) : answer;
    }

    private LockAttempt told(LockRequest wish, Answer<AcquireResult> answer) {
        Stack stack = wish.stack();
        return answer.result()
                .fold(
                        granted -> granted(stack, granted.hold(), wish.info()),
                        queued -> held(stack, queued.holders(), answer.record(), true),
                        busy -> held(stack, busy.holders(), answer.record(), false),
                        lost -> new LockAttempt.Over(lost.reason()));
    }

    /** Nobody is told that it holds before no earlier holder can save any more. */
    private LockAttempt granted(Stack stack, Hold hold, TerraformLockInfo info) {
        try {
            ClaimOutcome claim = states.claim(stack, hold.leaseId(), hold.token());
            if (claim instanceof StateRefusal why) {
                giveBack(stack, hold);
                return new LockAttempt.Refused(withCause(why));
            }
            infos.keep(stack, hold, info);
        } catch (RuntimeException e) {
            giveBack(stack, hold).ifPresent(e::addSuppressed);
            throw e;
        }
        polls.forget(asking(stack, info.id()));
        return new LockAttempt.Taken();
    }

    /** To take the lock again helps only where somebody else has taken it since. */
    private static StateRefusal withCause(StateRefusal why) {
        return new StateRefusal(
                why.reason(),
                why.message()
                        + ". If that is refused too, the locks are older than the state: they were restored from an old"
                        + " copy, or belong to another state. Let an operator of this server check store and state.store",
                why.lost(),
                why.holders());
    }

    /** The caller will ask again with the same ID, and must be able to take the lock then. */
    private Optional<StoreException> giveBack(Stack stack, Hold hold) {
        unused.add(hold.leaseId());
        try {
            Command<ReleaseResult> lost = new Command.Release(hold.leaseId(), Command.Ending.LOST);
            Uninterruptibly.answer(engine.release(stack.lock().record(), lost, Cause.OWNER));
            return Optional.empty();
        } catch (StoreException e) {
            LOG.warn("The lock of stack {} could not be given back after its claim failed: {}", stack, e.getMessage());
            return Optional.of(e);
        }
    }

    // ---- looking

    private LockRecord record(Stack stack) {
        RecordKey key = stack.lock().record();
        return Uninterruptibly.answer(engine.read(key)).orElseGet(() -> LockRecord.empty(key));
    }

    /** What the holder of this stack said of its lock, as terraform reads it; empty if it is free. */
    public Optional<byte[]> holder(Stack stack) {
        LockRecord record = record(stack);
        return record.holds().isEmpty() ? Optional.empty() : Optional.of(inTheWay(stack, record.holds(), record));
    }

    private LockAttempt held(Stack stack, List<Hold> holds, LockRecord record, boolean queued) {
        return new LockAttempt.Held(new String(inTheWay(stack, holds, record), StandardCharsets.UTF_8), queued);
    }

    private byte[] inTheWay(Stack stack, List<Hold> holds, LockRecord record) {
        return infos.inTheWay(stack, holds, record, id -> polls.isKnown(asking(stack, id)));
    }

    // ---- the document

    /** Saves under the lock with this ID what was made from {@code base}, where the caller says; a save is also a sign of life. */
    public SaveOutcome save(LockCaller caller, Stack stack, String id, Optional<SaveBase> base, byte[] bytes) {
        if (!LockIds.isId(id)) {
            noteRefusal(caller, stack, bytes.length);
            throw new LockDeniedException(
                    Reason.NOT_AN_ID,
                    "The ID of the request is not a lock ID: 8 to 128 letters, digits, '_' and '-'."
                            + " Nothing was saved; lock the state first");
        }
        LockRecord record = record(stack);
        Optional<Hold> hold = ownHold(caller, record, id);
        LeaseId lease = LockIds.lease(record, id, none -> false);
        // The id of a lease that was taken in another way is its holder's secret; terraform's is shown to all.
        boolean shown = hold.isEmpty() || TerraformLockInfo.isNamed(hold.get());
        Provenance by = new Provenance(
                caller.calling(hold.map(Hold::owner).orElse("")),
                hold.map(held -> held.terms().reason()).orElse(""),
                Optional.of(id).filter(it -> shown));
        if (base.isEmpty() && hold.filter(it -> !it.scope().equals(Scope.WHOLE)).isPresent()) {
            throw new LockDeniedException(
                    Reason.VERSION_NEEDED,
                    "This ID holds a part of the stack, and others save other parts. Say with If-Match: \"VERSION\""
                            + " which version the change was made from, or with If-None-Match: * that there was none."
                            + " Nothing was saved");
        }
        SaveOutcome outcome = base.isPresent()
                ? states.saveOver(stack, lease, base.get().version(), bytes, by)
                : hold.map(held -> states.save(stack, held, bytes, by)) // the lock was read just now
                        .orElseGet(() -> states.save(stack, lease, bytes, by));
        if (outcome instanceof SaveOutcome.Saved) {
            meter.renewed(stack, renewed(stack, lease));
        }
        return outcome;
    }

    /** The save is done, whatever becomes of this. */
    private Optional<Boolean> renewed(Stack stack, LeaseId lease) {
        try {
            RenewResult result = Uninterruptibly.answer(
                            engine.renew(stack.lock().record(), lease, Optional.empty()))
                    .result();
            return Optional.of(result.fold(done -> true, lost -> false));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    /** An ID that no lock can have is refused before it comes to a save, and recorded all the same. */
    private void noteRefusal(LockCaller caller, Stack stack, int size) {
        Note note = Note.of(
                EventType.STATE_REFUSED,
                caller.name(),
                "the ID of the request is not a lock ID",
                Map.of("reason", StateRefusal.Reason.NOT_HELD.label(), "size", Integer.toString(size)));
        Stages.then(engine.remember(stack.lock().record(), note, caller.cause()), (done, failure) -> {
            if (failure != null) {
                LOG.warn("A refused save of stack {} could not be noted: {}", stack, failure.getMessage());
            }
        });
    }

    /** Removes the state, under the lock with this ID if there is one, else taking the lock for it. */
    public DeleteOutcome delete(LockCaller caller, Stack stack, Optional<String> id) {
        Provenance by = Provenance.of(caller.name(), "delete");
        Optional<String> named = id.filter(LockIds::isId);
        if (named.isEmpty()) {
            return states.delete(stack, by);
        }
        LockRecord record = record(stack);
        ownHold(caller, record, named.get());
        LeaseId lease = LockIds.lease(record, named.get(), none -> false);
        DeleteOutcome outcome = states.delete(stack, lease, by.withLockId(named.get()));
        return outcome instanceof StateRefusal refused && wasReleased(refused)
                ? states.delete(stack, by) // by its own holder, and the stack is free
                : outcome;
    }

    /** An ID that lost its lock may not delete what it may not save either; one that gave it back is like none. */
    private static boolean wasReleased(StateRefusal refused) {
        return refused.holders().isEmpty()
                && refused.lost().filter(TerraformLocks::isGivenBack).isPresent();
    }

    private static boolean isGivenBack(LostReason how) {
        return how == LostReason.RELEASED || how == LostReason.ABANDONED;
    }

    private static Optional<Hold> ownHold(LockCaller caller, LockRecord record, String id) {
        Optional<Hold> hold = LockIds.hold(record, id);
        hold.filter(held -> !caller.mayActOn(held)).ifPresent(held -> {
            throw new LockDeniedException(
                    Reason.NOT_YOURS,
                    "The lock with this ID was taken by '"
                            + held.terms().account().name() + "', not by '" + caller.name()
                            + "'. Nothing was changed; take the lock yourself");
        });
        return hold;
    }

    // ---- ending

    /** Ends whoever holds the stack, as far as the policy allows; whether anybody did. */
    public boolean forceUnlock(LockCaller caller, Stack stack) {
        return force.end(stack, caller.cause());
    }

    /**
     * Releases what this ID holds, or its place; a lock of another is ended like by force. Empty if there is no such lock and never was;
     * else whether it was this call that ended one.
     */
    public Optional<Boolean> unlock(LockCaller caller, Stack stack, String id) {
        LockRecord record = record(stack);
        Optional<Hold> hold = LockIds.hold(record, id);
        if (hold.isPresent() && !caller.mayActOn(hold.get())) {
            return Optional.of(force.end(stack, hold.get().token(), caller.cause()));
        }
        return LockIds.isId(id) && release(stack, record, id, caller.cause()) ? Optional.of(true) : Optional.empty();
    }

    /** True if it holds nothing now that it held; false if it was another's. */
    private boolean release(Stack stack, LockRecord seen, String id, Cause cause) {
        LockRecord record = seen;
        if (LockIds.hold(record, id).isPresent() || LockIds.place(record, id).isPresent()) {
            LeaseId lease = LockIds.lease(record, id, none -> false);
            Command<ReleaseResult> release = new Command.Release(lease, Command.Ending.RELEASED);
            Answer<ReleaseResult> answer =
                    Uninterruptibly.answer(engine.release(stack.lock().record(), release, cause));
            polls.forget(asking(stack, id));
            states.showLock(stack);
            record = answer.record();
            if (answer.result() == ReleaseResult.RELEASED) {
                meter.released(true);
                return true;
            }
        }
        meter.released(false);
        return LockIds.ended(record, id).filter(TerraformLocks::isGivenBack).isPresent();
    }
}
