package dev.holdfast.state;

import dev.holdfast.LockClient;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.parts.LastWait;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Note;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what happened to a state into the history of its lock, after the fact: best effort, and nobody waits for it. */
final class StateEvents {
    private static final Logger LOG = LoggerFactory.getLogger(StateManager.class);
    /** How long the end of the program waits for events under way. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);
    /** Longest reason kept. */
    private static final int MAX_REASON = 300;

    private final LockClient locks;
    private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    StateEvents(LockClient locks) {
        this.locks = locks;
    }

    void saved(StateVersion version, Optional<LeaseId> lease) {
        tell(EventType.STATE_SAVED, version.stack(), lease, version.by(), version.token(), "", details(version));
    }

    void restored(StateVersion version, StateVersion from, Optional<LeaseId> lease) {
        Map<String, String> details = details(version);
        details.put("from", from.version());
        tell(EventType.STATE_RESTORED, version.stack(), lease, version.by(), version.token(), "", details);
    }

    void refused(Stack stack, Optional<LeaseId> lease, Provenance by, long size, StateRefusal why) {
        Map<String, String> details = new TreeMap<>();
        details.put("reason", why.reason().label());
        details.put("size", Long.toString(size));
        put(details, "operation", by.operation());
        by.lockId().ifPresent(id -> put(details, "lock_id", id));
        why.lost().ifPresent(lost -> details.put("lost", lost.name().toLowerCase(java.util.Locale.ROOT)));
        tell(EventType.STATE_REFUSED, stack, lease, by.by(), Token.NONE, why.message(), details);
    }

    private static Map<String, String> details(StateVersion version) {
        Map<String, String> details = new TreeMap<>();
        details.put("version", version.version());
        details.put("serial", Long.toString(version.serial()));
        details.put("size", Long.toString(version.size()));
        put(details, "operation", version.operation());
        version.lockId().ifPresent(id -> put(details, "lock_id", id));
        return details;
    }

    private static void put(Map<String, String> details, String name, String value) {
        if (!value.isEmpty()) {
            details.put(name, cut(value));
        }
    }

    private static String cut(String text) {
        return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON - 3) + "...";
    }

    private void tell(
            EventType type,
            Stack stack,
            Optional<LeaseId> lease,
            String owner,
            Token token,
            String reason,
            Map<String, String> details) {
        try {
            Note note = new Note(type, LockPath.WHOLE, lease, owner, token, cut(reason), details);
            CompletableFuture<Boolean> told = locks.remember(stack.lock(), note).toCompletableFuture();
            long number = last.incrementAndGet();
            underWay.put(number, told);
            Stages.then(told, (kept, failure) -> {
                underWay.remove(number);
                if (failure != null) {
                    LOG.warn("'{}' of state {} could not be recorded: {}", type.label(), stack, failure.getMessage());
                }
            });
        } catch (RuntimeException e) { // what happened has happened; a full history must not undo it
            LOG.warn("'{}' of state {} could not be recorded: {}", type.label(), stack, e.getMessage());
        }
    }

    /** Waits a little for events under way. */
    void flush() {
        LastWait.forAll(underWay.values(), LAST_WAIT)
                .ifPresent(why -> LOG.debug("Some events were not written before the end", why));
    }
}
