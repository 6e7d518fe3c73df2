package dev.holdfast;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.ScanRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Looking at locks, and ending one by force. Everything is read from the store when asked; nothing comes from a cache. Safe for any thread. */
public final class Inspector {
    private final LockService service;
    private final ClientConfig config;

    Inspector(LockService service, ClientConfig config) {
        this.service = service;
        this.config = config;
    }

    /** One lock, also when it is free or was never used. */
    public LockView get(LockKey key) {
        return Failures.join(service.look(key.record()));
    }

    /** One lock, without using the calling thread. */
    public CompletableFuture<LockView> getAsync(LockKey key) {
        return Failures.relayed(service.look(key.record()), service.machine(), config.context());
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
        return Failures.join(service.list(request));
    }

    /** A page of locks, without using the calling thread. */
    public CompletableFuture<Locks> listAsync(ScanRequest request) {
        return Failures.relayed(service.list(request), service.machine(), config.context());
    }

    /** What happened; empty where the store keeps no history. */
    public List<EventLog.StoredEvent> history(EventLog.EventQuery query) {
        return Failures.join(service.history(query));
    }

    /** What happened, without using the calling thread. */
    public CompletableFuture<List<EventLog.StoredEvent>> historyAsync(EventLog.EventQuery query) {
        return Failures.relayed(service.history(query), service.machine(), config.context());
    }

    /**
     * Ends the hold with this token, whoever has it. Its holder learns of it at its next renewal at the latest; until
     * then only what checks the token is protected from it.
     *
     * @param expected the token that was seen: if another holds by now, nothing happens
     * @param reason recorded with who did it
     * @return the hold as it was; {@link Attempt.Busy} with the present holders if it had changed
     */
    public Attempt<Holder> forceUnlock(LockKey key, Token expected, String reason) {
        return Failures.join(service.force(key.record(), expected, config.owner(), reason));
    }

    /** Ends a hold, without using the calling thread, on behalf of {@code by}. */
    public CompletableFuture<Attempt<Holder>> forceUnlockAsync(LockKey key, Token expected, String by, String reason) {
        return Failures.relayed(service.force(key.record(), expected, by, reason), service.machine(), config.context());
    }

    /**
     * What was tidied up.
     *
     * @param judged locks in which something had ended or looked stale
     * @param removed records deleted
     * @param locks the first thousand of both
     */
    public record CleanupReport(int judged, int removed, List<RecordKey> locks) {}

    /** Ends expired holds, drops dead waiters and deletes records past retention, now; with {@code dryRun} only counts. */
    public CleanupReport cleanup(boolean dryRun) {
        return Failures.join(service.cleanup(dryRun));
    }
}
