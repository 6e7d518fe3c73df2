package dev.holdfast.engine;

import dev.holdfast.engine.EngineMeter.Operation;
import dev.holdfast.model.Account;
import dev.holdfast.model.Cause;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Names;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.rules.AcquireResult;
import dev.holdfast.rules.Command;
import dev.holdfast.rules.ForceResult;
import dev.holdfast.rules.Here;
import dev.holdfast.rules.LockRules;
import dev.holdfast.rules.ReleaseResult;
import dev.holdfast.rules.RenewResult;
import dev.holdfast.spi.Anchor;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.MeasuredClock;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Watchable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Locks on a store, for one process: brings commands to the queue of their lock, and answers when the store has confirmed.
 *
 * <p>Answers are values ({@link AcquireResult} and its kin). A future that fails does so with a
 * {@link dev.holdfast.spi.StoreException}, which is never an answer about the lock. Methods with {@code mayBlock} use the
 * calling thread for the store when that saves a hop; the others never block. Safe for any thread.
 */
public final class LockEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockEngine.class);

    /** Least time another engine's grant is kept for a waiter here: a round trip and a pause of ours. */
    private static final Duration MIN_CLAIM = Duration.ofSeconds(1);
    /** How long close waits for places in queues to be given up. */
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final RecordStore store;
    private final Machine machine;
    private final Parts parts;
    private final KeyQueues queues;
    private final Here alone;
    private final Keeper keeper;
    private final Sweeper sweeper;
    private final EventFeed feed;
    private final Lists lists = new Lists();
    private final WriteHealth writes = new WriteHealth();
    private final Duration claimWithin;
    private Optional<Watchable.Watch> watch = Optional.empty();
    private volatile boolean closing;
    private volatile boolean closed;

    /** An engine on this store, which it closes when it is closed. */
    public static LockEngine start(RecordStore store, EngineConfig config) {
        return start(store, config, EngineMeter.NONE);
    }

    /** An engine on this store, measured. */
    public static LockEngine start(RecordStore store, EngineConfig config, EngineMeter meter) {
        Machine machine = new ThreadMachine(store.traits().name());
        int shards = Math.max(1, Runtime.getRuntime().availableProcessors() * 2);
        return new LockEngine(store, machine, config, new LockRules(), new Judgement(), shards, meter).started();
    }

    /** An engine made of these parts; {@link #started()} sets its background work going. */
    public LockEngine(
            RecordStore store, Machine machine, EngineConfig config, LockRules rules, Judgement judgement, int shards) {
        this(store, machine, config, rules, judgement, shards, EngineMeter.NONE);
    }

    private LockEngine(
            RecordStore store,
            Machine machine,
            EngineConfig config,
            LockRules rules,
            Judgement judgement,
            int shards,
            EngineMeter meter) {
        this.store = store;
        this.machine = machine;
        this.queues = new KeyQueues(config.keysCached());
        this.parts = new Parts(
                new EngineId(LeaseId.ofBits(machine.random(), machine.random())
                        .value()
                        .substring(0, 24)),
                store,
                store.traits(),
                rules,
                judgement,
                machine,
                config,
                new WriteBatcher(store, machine, meter, writes, store.traits().writers()),
                new WriteBatcher(
                        store,
                        machine,
                        meter,
                        writes,
                        store.traits().blocking() ? 1 : store.traits().writers()),
                meter,
                this::happened,
                this::submit);
        this.alone = Here.of(parts.id());
        this.keeper = new Keeper(
                machine,
                judgement,
                new OwnRenewer(parts),
                new Keeper.Habits(store instanceof Watchable, false, shards));
        this.sweeper = new Sweeper(parts);
        this.feed = new EventFeed(parts);
        Duration twoPolls = parts.traits().restingPoll().multipliedBy(2);
        this.claimWithin = parts.traits().exclusive() ? MIN_CLAIM : MIN_CLAIM.plus(twoPolls);
    }

    /** Starts sweeping, measuring the clock and listening for changes. */
    public LockEngine started() {
        sweeper.start();
        measureAgain();
        if (store instanceof Watchable watchable) {
            watch = Optional.of(watchable.watch(this::changed));
        }
        return this;
    }

    /** This engine's name in the records: random at each start. */
    public EngineId id() {
        return parts.id();
    }

    /** A lease id nobody else has. */
    public LeaseId newLeaseId() {
        return LeaseId.ofBits(machine.random(), machine.random());
    }

    // ---- the commands

    /** Takes the lock, or waits for it as long as the request says. */
    public Acquisition acquire(Request request, boolean mayBlock) {
        if (closing) {
            return new Acquisitions.Immediate(CompletableFuture.failedFuture(closedException()));
        }
        if (request.waitFor().isZero()) {
            return acquireNow(request, mayBlock);
        }
        Duration within = request.keepPlace().isZero() ? claimWithin : request.claimWithin();
        Command.Acquire ask =
                ask(request, Optional.of(within.compareTo(Waiter.MAX_CLAIM) > 0 ? Waiter.MAX_CLAIM : within));
        while (true) {
            KeyQueue queue = queues.of(request.key(), parts, alone);
            Waiting waiting = queue.waitingOrNew();
            Optional<Parked> parked = waiting.park(ask, request, mayBlock);
            if (parked.isPresent()) {
                return new Acquisitions.Queueing(waiting, parked.get());
            }
            queues.remove(queue);
        }
    }

    private Acquisition acquireNow(Request request, boolean mayBlock) {
        return attempt(request, ask(request, Optional.empty()), mayBlock);
    }

    /** Takes the lock, without waiting, by an identity that may hold again after it ended. */
    public Acquisition reacquire(Request request) {
        Command.Reacquire ask = new Command.Reacquire(request.leaseId(), request.owner(), request.terms());
        return closing
                ? new Acquisitions.Immediate(CompletableFuture.failedFuture(closedException()))
                : attempt(request, ask, false);
    }

    private Acquisition attempt(Request request, Command<AcquireResult> ask, boolean mayBlock) {
        Op<AcquireResult> op = new Op<>(ask, request.cause(), parts.deadline());
        submit(request.key(), op, mayBlock);
        CompletableFuture<Answer<AcquireResult>> told = new CompletableFuture<>();
        Stages.then(op.future, (answer, failure) -> {
            if (failure instanceof OutcomeUnknownException) {
                // If it holds now, nobody will know.
                parts.post(request.key(), op.giveBack(request.leaseId()));
            }
            if (answer != null) {
                told.complete(answer);
            } else if (failure != null) {
                told.completeExceptionally(failure);
            }
        });
        return new Acquisitions.Trying(op.future, told, hold -> parts.post(request.key(), Command.GiveBack.of(hold)));
    }

    private static Command.Acquire ask(Request request, Optional<Duration> within) {
        return new Command.Acquire(request.leaseId(), request.scope(), request.owner(), request.terms(), within);
    }

    /** Keeps a granted lease from now on: renews it if asked to, and tells when it is lost. */
    public KeptLease keep(RecordKey key, Hold hold, Anchor start, boolean renews) {
        return keeper.keep(key, hold, start, renews);
    }

    /** Gives a kept lease back. A lease that was lost before is not held, whatever the store says. */
    public CompletableFuture<Answer<ReleaseResult>> release(KeptLease lease, Command.Ending ending, boolean mayBlock) {
        keeper.release(lease);
        return execute(lease.key(), new Command.Release(lease.hold().leaseId(), ending), Cause.OWNER, mayBlock);
    }

    /** Renews by lease id alone. */
    public CompletableFuture<Answer<RenewResult>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease) {
        return renew(key, leaseId, lease, Account.NONE);
    }

    /** The same for this account, which must have taken it. */
    public CompletableFuture<Answer<RenewResult>> renew(
            RecordKey key, LeaseId leaseId, Optional<Duration> lease, Account account) {
        lease.ifPresent(Terms::lease);
        return execute(key, new Command.Renew(leaseId, lease, account), Cause.OWNER, false);
    }

    /** Adds to what is left of a lease, up to the longest from now. */
    public CompletableFuture<Answer<RenewResult>> extend(RecordKey key, LeaseId leaseId, Duration by) {
        return execute(key, new Command.Extend(leaseId, Terms.lease(by)), Cause.OWNER, false);
    }

    /** Releases by lease id alone, or leaves the queue. */
    public CompletableFuture<Answer<ReleaseResult>> release(RecordKey key, LeaseId leaseId) {
        return release(key, new Command.Release(leaseId, Command.Ending.RELEASED), Cause.OWNER);
    }

    /** Releases a hold or a place in the queue as the command says, on somebody's behalf. */
    public CompletableFuture<Answer<ReleaseResult>> release(RecordKey key, Command<ReleaseResult> how, Cause cause) {
        return execute(key, how, cause, false);
    }

    /** Ends the hold with this token, whoever has it. */
    public CompletableFuture<Answer<ForceResult>> force(RecordKey key, Token expected, String by, String reason) {
        return force(key, expected, reason, new Cause(by, ""));
    }

    /** Ends the hold with this token, whoever has it, on somebody's behalf. */
    public CompletableFuture<Answer<ForceResult>> force(RecordKey key, Token expected, String reason, Cause cause) {
        Names.text("actor", cause.actor(), 1);
        Names.text("reason", reason, 1);
        return execute(key, new Command.ForceRelease(expected, cause.actor(), reason), cause, false);
    }

    /** Writes something into the history of a lock, on somebody's behalf; completes when it is stored. */
    public CompletableFuture<Answer<Boolean>> remember(RecordKey key, Note note, Cause cause) {
        return execute(key, new Command.Remember(note), cause, false);
    }

    /** Judges the record's time again, writing only if something ended; the record as it is then. */
    public CompletableFuture<Answer<LockRecord>> touch(RecordKey key) {
        return execute(key, new Command.Touch(parts.config().staleAfter()), Cause.OWNER, false);
    }

    private <R> CompletableFuture<Answer<R>> execute(RecordKey key, Command<R> command, Cause cause, boolean mayBlock) {
        Op<R> op = new Op<>(command, cause, parts.deadline());
        submit(key, op, mayBlock);
        return op.future;
    }

    private void submit(RecordKey key, Op<?> op, boolean mayBlock) {
        if (closed) {
            op.future.completeExceptionally(closedException());
            return;
        }
        while (true) {
            KeyQueue queue = queues.of(key, parts, alone);
            if (queue.submit(op, mayBlock)) {
                break;
            }
            queues.remove(queue);
        }
        if (closed) { // meanwhile; nobody may be left to answer
            op.future.completeExceptionally(closedException());
        }
    }

    // ---- looking

    /** The record as stored now; empty if there is none. */
    public CompletableFuture<Optional<LockRecord>> read(RecordKey key) {
        return call(Operation.READ, () -> store.read(key).thenApply(found -> found.map(Versioned::record)));
    }

    /** A page of records. */
    public CompletableFuture<Page> scan(ScanRequest request) {
        return call(Operation.SCAN, () -> store.scan(request));
    }

    /** The store's time now, measured if need be. */
    public CompletableFuture<StoreClock.Reading> now() {
        return store.clock()
                .now()
                .map(CompletableFuture::completedFuture)
                .orElseGet(() ->
                        measureClock().thenApply(done -> store.clock().now().orElseThrow()));
    }

    /** Why the store takes no writes; empty if it took the last one, or none was tried. Reads may work all the same. */
    public Optional<Throwable> writeFailure() {
        return writes.failing();
    }

    /** Past events; empty answer where the store keeps none. */
    public CompletableFuture<List<EventLog.StoredEvent>> events(EventLog.EventQuery query) {
        return store instanceof EventLog log
                ? call(Operation.EVENTS, () -> log.events(query))
                : CompletableFuture.completedFuture(List.of());
    }

    /** Calls the listener for every event once the feed is ready, one at a time, until closed. */
    public EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener) {
        return feed.subscribe(listener);
    }

    /** Ends what has expired and deletes what is past retention, everywhere; how many records were judged and deleted. */
    public CompletableFuture<SweepReport> sweep(boolean dryRun) {
        return sweeper.sweep(dryRun)
                .thenApply(swept -> new SweepReport(swept.judged(), swept.removed(), swept.locks()));
    }

    /**
     * What a sweep did.
     *
     * @param judged records in which something had ended or looked stale
     * @param removed records deleted
     * @param locks the first thousand of both
     */
    public record SweepReport(int judged, int removed, List<RecordKey> locks) {}

    /** Runs something of the engine's later, apart from its own work: for listeners and continuations. */
    public Machine machine() {
        return machine;
    }

    /** How many leases are kept and renewed here. */
    public int keptLeases() {
        return keeper.size();
    }

    /** How many callers wait here. */
    public int waitingCallers() {
        return queues.waiters();
    }

    private <T> CompletableFuture<T> call(Operation operation, Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Machine.Timer timeUp =
                machine.after(parts.config().operationTimeout(), () -> told.completeExceptionally(parts.late()));
        Runnable ask = () -> parts.io(
                false,
                () -> Stages.then(parts.measured(operation, 1, request), (value, failure) -> {
                    timeUp.cancel();
                    if (failure != null) {
                        told.completeExceptionally(failure);
                    } else {
                        told.complete(value);
                    }
                    if (operation != Operation.READ) {
                        lists.done();
                    }
                }));
        if (operation == Operation.READ) {
            ask.run();
        } else if (!lists.run(() -> !told.isDone(), ask)) {
            timeUp.cancel();
            told.completeExceptionally(new StoreUnavailableException(
                    "Too many listings of the " + store.traits().name() + " store are waited for; ask again later",
                    null));
        }
        return told;
    }

    private CompletableFuture<Void> measureClock() {
        CompletableFuture<Void> told = new CompletableFuture<>();
        parts.io(
                false,
                () -> Stages.then(Stages.from(() -> store.clock().measure()), (done, failure) -> {
                    if (failure != null) {
                        told.completeExceptionally(failure);
                    } else {
                        told.complete(null);
                    }
                }));
        return told;
    }

    // ---- background

    private void happened(List<LockEvent> events) {
        parts.meter().happened(events);
        feed.happened(events);
    }

    /** The store says that a record changed: whoever waits for it, or holds it, looks. */
    private void changed(RecordKey key) {
        KeyQueue queue = queues.peek(key);
        Waiting waiting = queue == null ? null : queue.waiting();
        if (waiting != null) {
            waiting.lookNow();
        }
        keeper.lookAt(key);
    }

    private void measureAgain() {
        if (closing) {
            return;
        }
        Stages.then(measureClock(), (done, failure) -> {
            if (failure != null && !closing) {
                LOG.debug("The store's clock could not be measured", failure);
            }
            machine.after(MeasuredClock.MEASURE_EVERY, this::measureAgain);
        });
    }

    // ---- end

    /**
     * Stops intake, gives up places in queues, and ends the leases kept here without releasing them: work done under them
     * may still be going on, so they expire by themselves.
     */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        sweeper.close();
        watch.ifPresent(Watchable.Watch::close);
        List<CompletableFuture<?>> leaving = new ArrayList<>();
        for (KeyQueue queue : queues.all()) {
            Waiting waiting = queue.waiting();
            if (waiting != null) {
                leaving.addAll(waiting.cancelAll());
            }
        }
        await(CompletableFuture.allOf(leaving.toArray(CompletableFuture[]::new)));
        keeper.close();
        closed = true;
        queues.all().forEach(queue -> queue.abort(closedException(), unclearAtClose()));
        machine.close();
        store.close();
    }

    private static void await(CompletableFuture<Void> all) {
        try {
            all.get(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("Some places in lock queues could not be given up at close; they end by themselves", e);
        }
    }

    private OutcomeUnknownException unclearAtClose() {
        return new OutcomeUnknownException(
                "This lock client on the " + store.traits().name()
                        + " store was closed before it was clear whether the last change of the lock arrived",
                null);
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(
                "This lock client on the " + store.traits().name() + " store is closed");
    }
}
