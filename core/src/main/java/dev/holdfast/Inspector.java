package dev.holdfast;

import dev.holdfast.engine.LockEngine;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import dev.holdfast.rules.Moment;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Looking at locks, and ending one by force. Everything is read from the store when asked; nothing comes from a cache. */
public final class Inspector {
    private final LockEngine engine;
    private final ClientConfig config;

    Inspector(LockEngine engine, ClientConfig config) {
        this.engine = engine;
        this.config = config;
    }

    /** One lock, also when it is free or was never used. */
    public LockView get(LockKey key) {
        return Failures.join(getAsync(key));
    }

    /** One lock, without using the calling thread. */
    public CompletableFuture<LockView> getAsync(LockKey key) {
        CompletableFuture<LockView> view = engine.read(key.record())
                .thenCombine(
                        engine.now(),
                        (record, now) -> view(record.orElseGet(() -> LockRecord.empty(key.record())), now));
        return Failures.relayed(view, found -> found, engine.machine());
    }

    /**
     * A page of locks.
     *
     * @param locks in key order
     * @param next where the next page starts; empty at the end
     */
    public record Locks(List<LockView> locks, Optional<String> next) {}

    /** Locks, a page at a time: all with {@link ScanRequest#all()}, those in use with {@code ScanRequest.all().busy()}. */
    public Locks list(ScanRequest request) {
        return Failures.join(listAsync(request));
    }

    /** A page of locks, without using the calling thread. */
    public CompletableFuture<Locks> listAsync(ScanRequest request) {
        CompletableFuture<Locks> locks = engine.scan(request).thenCombine(engine.now(), (page, now) -> {
            List<LockView> views = new ArrayList<>();
            page.records().forEach(found -> views.add(view(found.record(), now)));
            return new Locks(views, page.next());
        });
        return Failures.relayed(locks, found -> found, engine.machine());
    }

    /** What happened; empty where the store keeps no history. */
    public List<EventLog.StoredEvent> history(EventLog.EventQuery query) {
        return Failures.join(engine.events(query));
    }

    /** What happened, without using the calling thread. */
    public CompletableFuture<List<EventLog.StoredEvent>> historyAsync(EventLog.EventQuery query) {
        return Failures.relayed(engine.events(query), found -> found, engine.machine());
    }

    /**
     * Ends the hold with this token, whoever has it. Its holder learns at its next renewal, at the latest; until then only
     * what checks the token is protected from it.
     *
     * @param expected the token that was seen: if another holds by now, nothing happens
     * @param reason recorded with who did it
     * @return the hold as it was; {@link Attempt.Busy} with the present holders if it had changed
     */
    public Attempt<Holder> forceUnlock(LockKey key, Token expected, String reason) {
        return Failures.join(
                forceUnlockAsync(key, expected, config.owner(), reason).toCompletableFuture());
    }

    /** Ends a hold, without using the calling thread, on behalf of {@code by}. */
    public CompletionStage<Attempt<Holder>> forceUnlockAsync(LockKey key, Token expected, String by, String reason) {
        return Failures.relayed(
                engine.force(key.record(), expected, by, reason),
                answer -> answer.result()
                        .fold(
                                forced -> new Attempt.Done<>(Holder.of(forced.victim(), answer.record())),
                                changed -> new Attempt.Busy<>(
                                        Holder.of(changed.holders(), answer.record()),
                                        answer.record().queue().size())),
                engine.machine());
    }

    /** Ends expired holds, drops dead waiters and deletes records past retention, now; with {@code dryRun} only counts. */
    public LockEngine.SweepReport cleanup(boolean dryRun) {
        return Failures.join(engine.sweep(dryRun));
    }

    private LockView view(LockRecord record, StoreClock.Reading reading) {
        Moment now = new Moment(reading.earliest(), reading.latest(), reading.trustedSince(), Set.of(), Map.of());
        List<Holder> holders = new ArrayList<>();
        for (Hold hold : record.holds()) {
            if (!now.isOver(hold)) {
                boolean stale = hold.isHeld()
                        && now.earliest().isAfter(hold.staleAt(config.engine().staleAfter()));
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
}
