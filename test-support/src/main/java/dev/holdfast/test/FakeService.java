package dev.holdfast.test;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockService;
import dev.holdfast.LockView;
import dev.holdfast.internal.engine.EventFeed;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Note;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An engine's locks on the common time: what the engine tells is run when its work is done, failures of a cut line are told as what they
 * stand for, and the leases it gave out are known.
 */
final class FakeService implements LockService {
    private final LockService locks;
    private final FakeTime time;
    private final List<KeptLease> leases = new CopyOnWriteArrayList<>();

    FakeService(LockService locks, FakeTime time) {
        this.locks = locks;
        this.time = time;
    }

    /** The leases that nobody has released, and that are held or were forgotten. */
    List<KeptLease> openLeases() {
        return leases.stream().filter(FakeService::isOpen).toList();
    }

    private static boolean isOpen(KeptLease lease) {
        return lease.isValid()
                || lease.lostFor().filter(LostReason.ABANDONED::equals).isPresent();
    }

    private <T> CompletableFuture<T> look(Supplier<CompletableFuture<T>> call) {
        return told(time.work().perform(call), false);
    }

    private <T> CompletableFuture<T> change(Supplier<CompletableFuture<T>> call) {
        return told(time.work().perform(call), true);
    }

    private static <T> CompletableFuture<T> told(CompletableFuture<T> answer, boolean change) {
        CompletableFuture<T> told = new CompletableFuture<>();
        Stages.then(answer, (value, failure) -> {
            if (failure == null) {
                told.complete(value);
            } else {
                told.completeExceptionally(Line.told(failure, change));
            }
        });
        return told;
    }

    @Override
    public LeaseId newLeaseId() {
        return locks.newLeaseId();
    }

    @Override
    public Machine machine() {
        return locks.machine();
    }

    // ---- taking and keeping

    @Override
    public Asking acquire(Request request, Calling calling) {
        if (calling == Calling.BLOCKING) {
            time.asking().asks(); // and waits for the answer next
        }
        Asking asking = time.work().perform(() -> locks.acquire(request, calling));
        return new FakeAsking(told(asking.answer(), true), () -> time.work().perform(asking::cancel));
    }

    private record FakeAsking(CompletableFuture<Attempt<Grant>> answer, Runnable givenUp) implements Asking {
        @Override
        public void cancel() {
            givenUp.run();
        }
    }

    @Override
    public KeptLease keep(RecordKey key, Grant grant, boolean renews) {
        KeptLease lease = time.work().perform(() -> locks.keep(key, grant, renews));
        leases.add(lease);
        time.asking().arrived();
        return lease;
    }

    @Override
    public CompletableFuture<Optional<LostReason>> release(KeptLease lease, Command.Ending ending, Calling calling) {
        return change(() -> locks.release(lease, ending, calling));
    }

    @Override
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length) {
        return change(() -> locks.extend(lease, length));
    }

    // ---- by lease id alone

    @Override
    public CompletableFuture<Attempt<Holder>> renew(RecordKey key, LeaseId leaseId, Optional<Duration> lease) {
        return change(() -> locks.renew(key, leaseId, lease));
    }

    @Override
    public CompletableFuture<Boolean> release(RecordKey key, LeaseId leaseId) {
        return change(() -> locks.release(key, leaseId)).thenApply(released -> {
            if (released) { // whoever kept it hears so at its next renewal
                leases.removeIf(lease -> lease.hold().leaseId().equals(leaseId));
            }
            return released;
        });
    }

    // ---- looking

    @Override
    public CompletableFuture<LockView> look(RecordKey key) {
        return look(() -> locks.look(key));
    }

    @Override
    public CompletableFuture<Inspector.Locks> list(ScanRequest request) {
        return look(() -> locks.list(request));
    }

    @Override
    public CompletableFuture<List<EventLog.StoredEvent>> history(EventLog.EventQuery query) {
        return look(() -> locks.history(query));
    }

    @Override
    public EventFeed.Feed watch(Consumer<EventLog.StoredEvent> listener) {
        EventFeed.Feed feed = time.work().perform(() -> locks.watch(listener));
        return new ToldFeed(told(feed.ready(), false), feed);
    }

    private record ToldFeed(CompletableFuture<Void> ready, EventFeed.Feed feed) implements EventFeed.Feed {
        @Override
        public boolean isListening() {
            return feed.isListening();
        }

        @Override
        public boolean isOver() {
            return feed.isOver();
        }

        @Override
        public void close() {
            feed.close();
        }
    }

    @Override
    public int keptLeases() {
        return locks.keptLeases();
    }

    // ---- operators

    @Override
    public CompletableFuture<Attempt<Holder>> force(RecordKey key, Token expected, String by, String reason) {
        return change(() -> locks.force(key, expected, by, reason));
    }

    @Override
    public CompletableFuture<Boolean> remember(RecordKey key, Note note) {
        return change(() -> locks.remember(key, note));
    }

    @Override
    public CompletableFuture<Inspector.CleanupReport> cleanup(boolean dryRun) {
        return change(() -> locks.cleanup(dryRun));
    }

    // ---- end

    @Override
    public void drain(Duration within) {
        locks.drain(within);
    }

    @Override
    public void close() {
        time.work().perform(locks::close);
    }
}
