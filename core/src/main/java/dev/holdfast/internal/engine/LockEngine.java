package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.LeaseRenewals;
import dev.holdfast.internal.engine.leases.RenewalLine;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.EngineMeter;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.engine.machine.WriteHealth;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ForceResult;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
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
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Locks on a store, for one process: brings commands to the queue of their lock, and answers when the store has confirmed.
 *
 * <p>Answers are values ({@link AcquireResult} and its kin). A future that fails does so with a
 * {@link dev.holdfast.spi.StoreException}, which is never an answer about the lock. Nothing blocks, except calls with
 * {@link Calling#BLOCKING}. {@link Commands} has what changes a lock, {@link StoreQueries} what only looks. Safe for
 * any thread.
 */
public final class LockEngine implements AutoCloseable {
    private final RecordStore store;
    private final Machine machine;
    private final EngineParts parts;
    private final Commands commands;
    private final StoreQueries queries;
    private final LeaseRenewals renewals;
    private final Sweeper sweeper;
    private final EventFeed feed;
    private final WriteHealth writes = new WriteHealth();
    private Optional<Watchable.Watch> watch = Optional.empty();
    private volatile boolean closing;

    /** An engine on this store, which it closes when it is closed. */
    public static LockEngine start(RecordStore store, EngineConfig config) {
        return start(store, config, EngineMeter.NONE, Optional.empty());
    }

    /** The same, measured; what callers do with their answers is done by the executor, if there is one. */
    public static LockEngine start(
            RecordStore store, EngineConfig config, EngineMeter meter, Optional<Executor> answers) {
        Machine machine = new ThreadMachine(store.traits().name(), answers);
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
        this.parts = EngineParts.of(
                new EngineParts.Setup(store, machine, config, rules, judgement, meter),
                writes,
                this::happened,
                this::submit);
        this.commands = new Commands(parts);
        this.queries = new StoreQueries(parts);
        this.renewals = new LeaseRenewals(
                machine, judgement, new OwnRenewer(parts), RenewalLine.toStore(store instanceof Watchable, shards));
        this.sweeper = new Sweeper(parts);
        this.feed = new EventFeed(parts);
    }

    private void submit(RecordKey key, QueuedCommand<?> queued, Calling calling) {
        commands.submit(key, queued, calling);
    }

    /** Starts sweeping, measuring the clock and listening for changes. */
    public LockEngine started() {
        sweeper.start();
        queries.keepMeasuring();
        if (store instanceof Watchable watchable) {
            watch = Optional.of(watchable.watch(parts.id(), this::heard));
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
    public Acquisition acquire(Request request) {
        return commands.acquire(request, Calling.ASYNC);
    }

    /** The same on behalf of a thread that may be used for it. */
    public Acquisition acquire(Request request, Calling calling) {
        return commands.acquire(request, calling);
    }

    /** Takes the lock, without waiting, by an identity that may hold again after it ended. */
    public Acquisition reacquire(Request request) {
        return commands.reacquire(request);
    }

    /** Keeps a granted lease from now on: renews it if asked to, and tells when it is lost. */
    public KeptLease keep(RecordKey key, Hold hold, Anchor start, boolean renews) {
        return renewals.keep(key, hold, start, renews);
    }

    /** Makes a kept lease last at least this long from now; false if it is not held any more. */
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length) {
        return renewals.extend(lease, length, parts.deadline());
    }

    /** Gives a kept lease back. A lease that was lost before is not held, whatever the store says. */
    public CompletableFuture<Answer<ReleaseResult>> release(KeptLease lease, Command.Ending ending, Calling calling) {
        return renewals.release(
                lease,
                () -> commands.execute(
                        lease.key(), new Command.Release(lease.hold().leaseId(), ending), Cause.OWNER, calling));
    }

    /** Renews by lease id alone. */
    public CompletableFuture<Answer<RenewResult>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease) {
        return renew(key, leaseId, lease, Account.NONE);
    }

    /** The same for this account, which must have taken it. */
    public CompletableFuture<Answer<RenewResult>> renew(
            RecordKey key, LeaseId leaseId, Optional<Duration> lease, Account account) {
        lease.ifPresent(Terms::lease);
        return commands.execute(key, new Command.Renew(leaseId, lease, account), Cause.OWNER, Calling.ASYNC);
    }

    /** Adds to what is left of a lease, up to the longest from now. */
    public CompletableFuture<Answer<RenewResult>> extend(RecordKey key, LeaseId leaseId, Duration by) {
        return commands.execute(key, new Command.Extend(leaseId, Terms.lease(by)), Cause.OWNER, Calling.ASYNC);
    }

    /** Releases by lease id alone, or leaves the queue. */
    public CompletableFuture<Answer<ReleaseResult>> release(RecordKey key, LeaseId leaseId) {
        return release(key, new Command.Release(leaseId, Command.Ending.RELEASED), Cause.OWNER);
    }

    /** Releases a hold or a place in the queue as the command says, on somebody's behalf. */
    public CompletableFuture<Answer<ReleaseResult>> release(RecordKey key, Command<ReleaseResult> how, Cause cause) {
        return commands.release(key, how, cause);
    }

    /** Ends the hold with this token, whoever has it. */
    public CompletableFuture<Answer<ForceResult>> force(RecordKey key, Token expected, String by, String reason) {
        return force(key, expected, reason, new Cause(by, ""));
    }

    /** Ends the hold with this token, whoever has it, on somebody's behalf. */
    public CompletableFuture<Answer<ForceResult>> force(RecordKey key, Token expected, String reason, Cause cause) {
        Names.text("actor", cause.actor(), 1);
        Names.text("reason", reason, 1);
        return commands.execute(key, new Command.ForceRelease(expected, cause.actor(), reason), cause, Calling.ASYNC);
    }

    /** Writes something into the history of a lock, on somebody's behalf; completes when it is stored. */
    public CompletableFuture<Answer<Boolean>> remember(RecordKey key, Note note, Cause cause) {
        return commands.execute(key, new Command.Remember(note), cause, Calling.ASYNC);
    }

    /** Judges the record's time again, writing only if something ended; the record as it is then. */
    public CompletableFuture<Answer<LockRecord>> touch(RecordKey key) {
        return commands.execute(key, new Command.Touch(parts.config().staleAfter()), Cause.OWNER, Calling.ASYNC);
    }

    // ---- looking

    /** The record as stored now; empty if there is none. */
    public CompletableFuture<Optional<LockRecord>> read(RecordKey key) {
        return queries.read(key);
    }

    /** A page of records. */
    public CompletableFuture<Page> scan(ScanRequest request) {
        return queries.scan(request);
    }

    /** The store's time now, measured if need be. */
    public CompletableFuture<StoreClock.Reading> now() {
        return queries.now();
    }

    /** Why the store takes no writes; empty if it took the last one, or none was tried. Reads may work all the same. */
    public Optional<Throwable> writeFailure() {
        return writes.failing();
    }

    /** Grows with every request in which the store wrote something: whoever sees it stand still may {@link #tryWrite try}. */
    public long writesMade() {
        return writes.made();
    }

    /**
     * Writes a record and deletes it, or writes it again as it is where it is somebody's, to learn whether the store takes writes: no
     * event, no token, nobody is told. What came of it is in {@link #writeFailure()}; completes then, and only fails if the record could not be read.
     *
     * @param bytes how much it writes at least: a store without room may still take a few
     */
    public CompletableFuture<Void> tryWrite(RecordKey key, int bytes) {
        return WriteTrial.run(parts, key, bytes);
    }

    /** Past events; empty answer where the store keeps none. */
    public CompletableFuture<List<EventLog.StoredEvent>> events(EventLog.EventQuery query) {
        return queries.events(query);
    }

    /** Calls the listener for every event once the feed is ready, one at a time, until closed. */
    public EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener) {
        return feed.subscribe(listener);
    }

    /** Ends what has expired and deletes what is past retention, everywhere; how many records were judged and deleted. */
    public CompletableFuture<SweepReport> sweep(boolean dryRun) {
        return sweeper.sweep(dryRun);
    }

    /**
     * What a sweep did.
     *
     * @param judged records in which something had ended or looked stale
     * @param removed records deleted
     * @param locks the first thousand of both
     */
    public record SweepReport(int judged, int removed, List<RecordKey> locks) {}

    /** Its limits and habits. */
    public EngineConfig config() {
        return parts.config();
    }

    /** Runs something of the engine's later, apart from its own work: for listeners and continuations. */
    public Machine machine() {
        return machine;
    }

    /** How many leases are kept and renewed here. */
    public int keptLeases() {
        return renewals.size();
    }

    /** How many callers wait here. */
    public int waitingCallers() {
        return commands.waiters();
    }

    // ---- background

    private void happened(List<LockEvent> events) {
        parts.meter().happened(events);
        feed.happened(events);
    }

    /** The store says that a record changed: whoever waits for it, or holds it, looks. */
    private void heard(Watchable.Hint hint) {
        commands.heard(hint);
        renewals.lookAt(hint.key());
    }

    // ---- end

    /** Grants nothing more, waits up to this long until leases kept here are released, and then releases those that are left. */
    public void drain(Duration within) {
        commands.leaveQueues();
        renewals.drain(
                within,
                lease -> commands.execute(
                        lease.key(),
                        new Command.Release(lease.hold().leaseId(), Command.Ending.LOST),
                        Cause.OWNER,
                        Calling.ASYNC));
    }

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
        queries.close();
        watch.ifPresent(Watchable.Watch::close);
        commands.leaveQueues();
        renewals.close();
        commands.close();
        machine.close();
        store.close();
    }
}
