package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes versions past their time, after saves: at most {@value #MAX_REMOVED} each, and at most once an hour for a stack. Never the
 * current version, nor the newest good one before it, however old they are.
 */
final class Retention {
    /** Work per save. */
    private static final int MAX_REMOVED = 100;

    private static final Duration EVERY = Duration.ofHours(1);
    /** Versions go in groups, so that the last good one is not looked for at every save. */
    private static final Duration SLACK = Duration.ofHours(12);
    /** Stacks whose last pruning is remembered. */
    private static final int MAX_REMEMBERED = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StateManager.class);

    private final DocumentStore documents;
    private final Reading reading;
    private final StateConfig config;
    private final Map<Stack, Instant> pruned = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Stack, Instant> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    Retention(DocumentStore documents, Reading reading, StateConfig config) {
        this.documents = documents;
        this.reading = reading;
        this.config = config;
    }

    /** Prunes; a failure is only logged, for the save was made, and the next one prunes again. */
    void prune(Stack stack, StateVersion current) {
        Instant now = config.clock().instant();
        if (!isDue(stack, now)) {
            return;
        }
        try {
            remove(stack, current, now.minus(config.retention()));
        } catch (StoreException e) {
            LOG.warn("Old versions of state {} could not be removed: {}", stack, e.getMessage());
        }
    }

    private synchronized boolean isDue(Stack stack, Instant now) {
        Instant last = pruned.get(stack);
        if (last != null && Duration.between(last, now).abs().compareTo(EVERY) < 0) {
            return false;
        }
        pruned.put(stack, now);
        return true;
    }

    private void remove(Stack stack, StateVersion current, Instant before) {
        List<String> old = new ArrayList<>();
        List<DocumentHead> oldest = documents
                .list(ListRequest.of(StateNames.history(stack), MAX_REMOVED))
                .heads();
        for (DocumentHead head : oldest) {
            StateNames.versionOf(head.name())
                    .filter(it -> VersionNames.time(it).map(before::isAfter).orElse(false))
                    .filter(it -> !it.equals(current.version()))
                    .ifPresent(old::add);
        }
        if (old.isEmpty() || !isWorth(old, before)) {
            return;
        }
        Optional<String> good = reading.lastGood(stack, Optional.of(current.version()));
        if (good.isEmpty()) {
            return; // which one to keep is not known: keep all
        }
        List<Change> removals = new ArrayList<>();
        for (String version : old) {
            if (!version.equals(good.get())) {
                removals.add(Change.delete(StateNames.history(stack, version), Condition.none()));
            }
        }
        if (!removals.isEmpty()) {
            documents.write(removals);
        }
    }

    private static boolean isWorth(List<String> old, Instant before) {
        return old.size() >= MAX_REMOVED / 2
                || VersionNames.time(old.get(0))
                        .map(oldest -> oldest.isBefore(before.minus(SLACK)))
                        .orElse(true);
    }
}
