package dev.holdfast;

import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.time.Anchor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What a {@link LockClient} is built on: the engine of this process on a store, or a server. For those who connect
 * clients to something new, and not promised to stay as it is; everybody else uses {@link LockClient}.
 *
 * <p>Futures fail with a {@link dev.holdfast.spi.StoreException}, which is never an answer about a lock. Methods with
 * a {@link Calling} may use the calling thread; the others never block. Safe for any thread.
 */
@SuppressWarnings("exports") // it stands on what is not promised
public interface LockService extends AutoCloseable {
    /** The locks of an engine of this process, as others may see them; the engine is closed with it. */
    static LockService of(LockEngine engine) {
        return new EngineLocks(engine);
    }

    /** The locks of an engine on this store and machine, with the settings of this client. */
    static LockService on(RecordStore store, Machine machine, ClientConfig config) {
        return of(new LockEngine(store, machine, config.engine(), new LockRules(), new Judgement(), 1).started());
    }

    /** A client built on this; closing it closes this. */
    default LockClient client(ClientConfig config) {
        return new ServiceClient(this, config);
    }

    /** A lease id nobody else has. */
    LeaseId newLeaseId();

    /** Time, timers and threads of this service. */
    Machine machine();

    // ---- taking and keeping

    /** Takes the lock, or waits for it as long as the request says. What is granted is not renewed before it is kept. */
    Asking acquire(Request request, Calling calling);

    /** Keeps a granted lease from now on: renews it if asked to, and reports when it is lost. */
    KeptLease keep(RecordKey key, Grant grant, boolean renews);

    /** Gives a kept lease back. Empty if it was held until then; else why it was not. */
    CompletableFuture<Optional<LostReason>> release(KeptLease lease, Command.Ending ending, Calling calling);

    /** Makes a kept lease last at least this long from now; false if it is not held any more. */
    CompletableFuture<Boolean> extend(KeptLease lease, Duration length);

    /** An acquisition under way. */
    interface Asking {
        /** Its answer. Complete it only by {@link #cancel()}. */
        CompletableFuture<Attempt<Grant>> answer();

        /** The caller went away: its place in the queue, or the lock if it was granted meanwhile, is given up. */
        void cancel();
    }

    /**
     * A lock that was granted.
     *
     * @param hold the hold, with its token and end
     * @param done the last completed once-only work under it
     * @param start not after the local moment its length counts from
     */
    record Grant(Hold hold, Optional<Done> done, Anchor start) {}

    // ---- by lease id alone

    /** Renews; {@link Attempt.Lost} if it is not held. */
    CompletableFuture<Attempt<Holder>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease);

    /** Releases it, or its place in the queue; false if it neither held nor waited. */
    CompletableFuture<Boolean> release(RecordKey key, LeaseId leaseId);

    // ---- looking

    /** One lock, judged now. */
    CompletableFuture<LockView> look(RecordKey key);

    /** A page of locks. */
    CompletableFuture<Inspector.Locks> list(ScanRequest request);

    /** Past events; empty where none are kept. */
    CompletableFuture<List<EventLog.StoredEvent>> history(EventLog.EventQuery query);

    /** Calls the listener for every event once the feed is ready, one at a time, until closed. */
    EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener);

    /** How many leases are kept here. */
    int keptLeases();

    // ---- operators

    /** Ends the hold with this token, whoever has it; {@link Attempt.Busy} with the present holders if it had changed. */
    CompletableFuture<Attempt<Holder>> force(RecordKey key, Token expected, String by, String reason);

    /**
     * Writes something into the history of a lock; completes with false where that is not possible, as at a server, which
     * notes only what happens there.
     */
    default CompletableFuture<Boolean> remember(RecordKey key, Note note) {
        return CompletableFuture.completedFuture(false);
    }

    /** Ends what has expired and deletes what is past retention, everywhere; with {@code dryRun} only counts. */
    CompletableFuture<Inspector.CleanupReport> cleanup(boolean dryRun);

    /**
     * Grants nothing more and gives up places in queues; waits up to this long for leases to be released, and then releases those that
     * are left. {@link #close()} comes after.
     */
    void drain(Duration within);

    /** Gives up places in queues. Leases still kept say lost, and end by themselves. */
    @Override
    void close();
}
