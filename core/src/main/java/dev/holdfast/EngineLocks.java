package dev.holdfast;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The locks of the engine in this process, as others may see them. */
final class EngineLocks implements LockService {
    private final LockEngine engine;
    private final Duration staleAfter;

    EngineLocks(LockEngine engine) {
        this.engine = engine;
        this.staleAfter = engine.config().staleAfter();
    }

    @Override
    public LeaseId newLeaseId() {
        return engine.newLeaseId();
    }

    @Override
    public Machine machine() {
        return engine.machine();
    }

    @Override
    public Asking acquire(Request request, Calling calling) {
        Acquisition acquisition = engine.acquire(request, calling);
        return new EngineAsking(
                acquisition, acquisition.answer().thenApply(answer -> attempt(request.firstKey(), answer)));
    }

    private record EngineAsking(Acquisition acquisition, CompletableFuture<Attempt<Grant>> answer) implements Asking {
        @Override
        public void cancel() {
            acquisition.cancel();
        }
    }

    private static Attempt<Grant> attempt(LockKey key, Answer<AcquireResult> answer) {
        return answer.result()
                .fold(
                        granted -> new Attempt.Done<>(new Grant(granted.hold(), granted.done(), answer.anchor())),
                        queued -> new Attempt.Busy<>(
                                key, Holder.of(queued.holders(), answer.record()), queued.position()),
                        busy -> new Attempt.Busy<>(key, Holder.of(busy.holders(), answer.record()), busy.queueLength()),
                        lost -> new Attempt.Lost<>(key, lost.reason()));
    }

    @Override
    public KeptLease keep(RecordKey key, Grant grant, boolean renews) {
        return engine.keep(key, grant.hold(), grant.start(), renews);
    }

    @Override
    public CompletableFuture<Optional<LostReason>> release(KeptLease lease, Command.Ending ending, Calling calling) {
        return engine.release(lease, ending, calling)
                .thenApply(answer -> answer.result() == ReleaseResult.RELEASED
                        ? Optional.empty()
                        : Optional.of(answer.record()
                                .past()
                                .how(lease.hold().leaseId())
                                .orElse(LostReason.UNKNOWN)));
    }

    @Override
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length) {
        return engine.extend(lease, length);
    }

    // ---- by lease id alone

    @Override
    public CompletableFuture<Attempt<Holder>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease) {
        return engine.renew(key, leaseId, lease)
                .thenApply(answer -> answer.result()
                        .fold(
                                renewed -> new Attempt.Done<>(Holder.of(renewed.hold(), answer.record())),
                                lost -> new Attempt.Lost<>(new LockKey(key, LockPath.WHOLE), lost.reason())));
    }

    @Override
    public CompletableFuture<Boolean> release(RecordKey key, LeaseId leaseId) {
        return engine.release(key, leaseId).thenApply(answer -> answer.result() == ReleaseResult.RELEASED);
    }

    // ---- looking

    @Override
    public CompletableFuture<LockView> look(RecordKey key) {
        return engine.read(key)
                .thenCombine(engine.now(), (record, now) -> view(record.orElseGet(() -> LockRecord.empty(key)), now));
    }

    @Override
    public CompletableFuture<Inspector.Locks> list(ScanRequest request) {
        return engine.scan(request).thenCombine(engine.now(), (page, now) -> {
            List<LockView> views = new ArrayList<>();
            page.records().forEach(found -> views.add(view(found.record(), now)));
            return new Inspector.Locks(views, page.next());
        });
    }

    private LockView view(LockRecord record, StoreClock.Reading reading) {
        Moment now = new Moment(reading.earliest(), reading.latest(), reading.trustedSince(), Set.of(), Map.of());
        List<Holder> holders = new ArrayList<>();
        for (Hold hold : record.holds()) {
            if (!now.isOver(hold)) {
                boolean stale = hold.isHeld() && now.earliest().isAfter(hold.staleAt(staleAfter));
                holders.add(Holder.of(hold, record, stale));
            }
        }
        List<LockView.Waiting> waiters = new ArrayList<>();
        for (Waiter waiter : record.queue()) {
            waiters.add(new LockView.Waiting(
                    waiters.size() + 1,
                    waiter.owner(),
                    waiter.since(),
                    waiter.scope().mode(),
                    waiter.scope().paths()));
        }
        RecordKey key = record.key();
        return new LockView(key, holders, waiters, record.fence(), record.past().done(), reading.latest());
    }

    @Override
    public CompletableFuture<List<EventLog.StoredEvent>> history(EventLog.EventQuery query) {
        return engine.events(query);
    }

    @Override
    public EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener) {
        return engine.watch(listener);
    }

    @Override
    public int keptLeases() {
        return engine.keptLeases();
    }

    // ---- operators

    @Override
    public CompletableFuture<Attempt<Holder>> force(RecordKey key, Token expected, String by, String reason) {
        return engine.force(key, expected, by, reason)
                .thenApply(answer -> answer.result()
                        .fold(
                                forced -> new Attempt.Done<>(Holder.of(forced.victim(), answer.record())),
                                changed -> new Attempt.Busy<>(
                                        new LockKey(key, LockPath.WHOLE),
                                        Holder.of(changed.holders(), answer.record()),
                                        answer.record().queue().size())));
    }

    @Override
    public CompletableFuture<Boolean> remember(RecordKey key, Note note) {
        return engine.remember(key, note, Cause.OWNER).thenApply(Answer::result);
    }

    @Override
    public CompletableFuture<Inspector.CleanupReport> cleanup(boolean dryRun) {
        return engine.sweep(dryRun)
                .thenApply(swept -> new Inspector.CleanupReport(swept.judged(), swept.removed(), swept.locks()));
    }

    @Override
    public void drain(Duration within) {
        engine.drain(within);
    }

    @Override
    public void close() {
        engine.close();
    }
}
