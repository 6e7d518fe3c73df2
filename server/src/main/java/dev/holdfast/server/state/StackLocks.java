package dev.holdfast.server.state;

import dev.holdfast.engine.Acquisition;
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
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.ReleaseResult;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Later;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.metrics.AcquireOutcome;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.server.routes.Waiters;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Refused;
import dev.holdfast.state.versions.Stack;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of stacks as terraform takes them: by an ID of its own, without end and without heartbeats, asking again and again
 * while another holds. Who holds has claimed the stack before it is told so. Calls block, but for {@link #take}.
 */
final class StackLocks {
    private static final Logger LOG = LoggerFactory.getLogger(StackLocks.class);
    /** A place that lapses just now is asked for again under another lease id. */
    private static final int MAX_ROUNDS = 4;
    /** Locks taken back before their caller was told, remembered so that it may try again. */
    private static final int MAX_UNUSED = 1_000;

    private final StateCalls calls;
    private final LockEngine engine;
    private final StateManager states;
    private final Meters meters;
    private final Waiters waiters;
    private final LockInfos infos;
    private final LockHabits habits;
    private final Polls polls = new Polls(System::nanoTime);
    private final RecentIds unused = new RecentIds(MAX_UNUSED);

    StackLocks(StateCalls calls, LockInfos infos, LockHabits habits) {
        this.calls = calls;
        this.engine = calls.locks().engine();
        this.meters = calls.locks().meters();
        this.waiters = calls.locks().waiters();
        this.states = calls.states();
        this.infos = infos;
        this.habits = habits;
    }

    // ---- taking

    /** Takes the lock, or tells who has it. Who asks again waits a little, and has a place in the queue from then on. */
    CompletableFuture<Taking> take(Call call, StateCalls.Asker asker, TerraformLockInfo info) {
        return calls.work(call, () -> claimed(asker, info))
                .thenCompose(claimed ->
                        claimed.map(CompletableFuture::completedFuture).orElseGet(() -> taken(call, asker, info)));
    }

    /**
     * For a lease of {@code /v2}, whose holder asks for the claim that comes with a lock here: its time, heartbeats and metadata
     * stay its own, and it ends by itself. Empty if this ID holds no such lease.
     */
    private Optional<Taking> claimed(StateCalls.Asker asker, TerraformLockInfo info) {
        Stack stack = asker.stack();
        return LockIds.hold(record(stack), info.id())
                .filter(hold -> hold.isHeld() && !TerraformLockInfo.isNamed(hold) && asker.mayActOn(hold))
                .map(hold -> {
                    ClaimOutcome claim = states.claim(part(stack, hold), hold.leaseId(), hold.token());
                    if (claim instanceof Refused refused) {
                        throw new StoreUnavailableException(refused.message(), null);
                    }
                    return new Taking.Taken();
                });
    }

    private static DeployKey part(Stack stack, Hold hold) {
        try {
            return new DeployKey(stack, hold.scope().paths().get(0));
        } catch (IllegalArgumentException e) {
            throw Problem.invalid(String.valueOf(e.getMessage())).refused();
        }
    }

    private CompletableFuture<Taking> taken(Call call, StateCalls.Asker asker, TerraformLockInfo info) {
        long start = System.nanoTime();
        Polls.Poll poll = polls.poll(asker.stack() + " " + info.id());
        return round(call, new Wish(asker, info, poll), 1).handle((told, failure) -> {
            polls.answered(asker.stack() + " " + info.id());
            AcquireOutcome outcome = told == null ? AcquireOutcome.ERROR : told.outcome();
            meters.acquired(asker.stack().lock(), outcome, Duration.ofNanos(System.nanoTime() - start));
            if (told == null) {
                throw Later.failed(failure);
            }
            return told.taking();
        });
    }

    private record Wish(StateCalls.Asker asker, TerraformLockInfo info, Polls.Poll poll) {
        Stack stack() {
            return asker.stack();
        }
    }

    private record Told(Taking taking, AcquireOutcome outcome) {}

    private CompletableFuture<Told> round(Call call, Wish wish, int rounds) {
        return calls.work(call, () -> request(wish))
                .thenCompose(request -> asked(call, request).thenCompose(answer -> {
                    boolean lapsed =
                            answer.result() instanceof AcquireResult.Lost lost && lost.reason() == LostReason.ABANDONED;
                    return lapsed && rounds < MAX_ROUNDS
                            ? round(call, wish, rounds + 1)
                            : calls.work(call, () -> told(wish, handedOver(request, answer)));
                }));
    }

    private Request request(Wish wish) {
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
                info.who().orElse(wish.asker().principal().name()),
                info.terms(habits.staleAfter()).by(wish.asker().principal().account()),
                waits ? habits.lockWait() : Duration.ZERO,
                waits ? wish.poll().keep() : Duration.ZERO,
                wish.asker().cause());
    }

    /** Does not block: many may wait. */
    private CompletableFuture<Answer<AcquireResult>> asked(Call call, Request request) {
        String namespace = request.key().namespace();
        String share = call.share();
        if (request.waitFor().isZero() || !waiters.enter(namespace, share)) {
            // Too many wait already: this one hears at once how it is, and polls.
            Acquisition once = engine.acquire(request.withoutWaiting());
            return call.whileStanding(call.here(once.answer()), once::cancel);
        }
        Acquisition acquisition = engine.acquire(request);
        waiters.park(acquisition, call.standing());
        call.ifGone(acquisition::leave);
        return call.whileStanding(call.here(acquisition.answer()), acquisition::cancel)
                .whenComplete((answer, failure) -> waiters.leave(namespace, share));
    }

    /** What was handed over in the very moment its caller was told to come back is its own already. */
    private Answer<AcquireResult> handedOver(Request request, Answer<AcquireResult> answer) {
        boolean holds = answer.result() instanceof AcquireResult.Queued
                && answer.record().hold(request.leaseId()).filter(Hold::isHeld).isPresent();
        return holds ? Waited.on(engine.acquire(request).answer()) : answer;
    }

    private Told told(Wish wish, Answer<AcquireResult> answer) {
        Stack stack = wish.stack();
        return answer.result()
                .fold(
                        granted -> new Told(taken(stack, granted.hold(), wish.info()), AcquireOutcome.GRANTED),
                        queued -> new Told(held(stack, queued.holders(), answer), AcquireOutcome.QUEUED),
                        busy -> new Told(held(stack, busy.holders(), answer), AcquireOutcome.BUSY),
                        lost -> new Told(new Taking.Over(lost.reason()), AcquireOutcome.LOST));
    }

    private Taking held(Stack stack, List<Hold> holds, Answer<AcquireResult> answer) {
        return new Taking.Held(Buffer.buffer(inTheWay(stack, holds, answer.record())));
    }

    private byte[] inTheWay(Stack stack, List<Hold> holds, LockRecord record) {
        return infos.inTheWay(stack, holds, record, id -> polls.isKnown(stack + " " + id));
    }

    /** Nobody is told that it holds before no earlier holder can save any more. */
    private Taking taken(Stack stack, Hold hold, TerraformLockInfo info) {
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

    /** The TerraformLockInfo of who holds this stack now. */
    Optional<byte[]> holder(Stack stack) {
        LockRecord record = record(stack);
        return record.holds().isEmpty() ? Optional.empty() : Optional.of(inTheWay(stack, record.holds(), record));
    }

    /** A sign of life: whoever saves is at work. Its save is done, whatever becomes of this. */
    void alive(Stack stack, LeaseId lease) {
        meters.renewed(stack.lock(), renewed(stack, lease));
    }

    private RenewalOutcome renewed(Stack stack, LeaseId lease) {
        try {
            return Waited.on(engine.renew(stack.lock().record(), lease, Optional.empty()))
                    .result()
                    .fold(done -> RenewalOutcome.RENEWED, lost -> RenewalOutcome.LOST);
        } catch (StoreException e) {
            return RenewalOutcome.UNKNOWN;
        }
    }

    // ---- ending

    /** Releases what this ID holds, or its place. True if it holds nothing now that it held; false if it was another's. */
    boolean release(Stack stack, String id, Cause cause) {
        LockRecord record = record(stack);
        Optional<Hold> hold = LockIds.hold(record, id);
        if (hold.isPresent() || LockIds.place(record, id).isPresent()) {
            LeaseId lease = LockIds.lease(record, id, none -> false);
            Command<ReleaseResult> release = new Command.Release(lease, Command.Ending.RELEASED);
            Answer<ReleaseResult> answer = Waited.on(engine.release(stack.lock().record(), release, cause));
            polls.forget(stack + " " + id);
            states.showLock(stack);
            record = answer.record();
            if (answer.result() == ReleaseResult.RELEASED) {
                meters.released(ReleaseOutcome.RELEASED);
                return true;
            }
        }
        meters.released(ReleaseOutcome.NOT_HELD);
        return LockIds.ended(record, id)
                .filter(how -> how == LostReason.RELEASED || how == LostReason.ABANDONED)
                .isPresent();
    }
}
