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
 * Removes versions past their time, and the oldest of those that are too many, after saves: at most {@value #MAX_REMOVED} each. Never
 * the current version, nor the newest good one before it, however old they are.
 *
 * <p>They are counted at most once an hour for a stack, and the saves made here are added. What other replicas saved meanwhile is
 * noticed then, so for that long there may be more than the limit by what they saved.
 */
final class Retention {
    /** Work per save. */
    private static final int MAX_REMOVED = 100;

    private static final Duration EVERY = Duration.ofHours(1);
    /** Versions go in groups, so that the last good one is not looked for at every save. */
    private static final Duration SLACK = Duration.ofHours(12);
    /** Stacks that are remembered. */
    private static final int MAX_REMEMBERED = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StateManager.class);

    private final DocumentStore documents;
    private final Reading reading;
    private final StateConfig config;

    /**
     * What is known of a stack's versions.
     *
     * @param at when they were looked through
     * @param versions how many there are, about
     */
    private record Count(Instant at, int versions) {}

    private final Map<Stack, Count> counts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Stack, Count> eldest) {
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
        try {
            Optional<Count> known = known(stack, now);
            if (known.isEmpty()) {
                removeOld(stack, current, now.minus(config.retention()));
            }
            Count count = known.map(it -> new Count(it.at(), it.versions() + 1))
                    .orElseGet(() -> new Count(now, count(stack)));
            remember(stack, new Count(count.at(), count.versions() - removeTooMany(stack, current, count.versions())));
        } catch (StoreException e) {
            LOG.warn("Old versions of state {} could not be removed: {}", stack, e.getMessage());
        }
    }

    private synchronized Optional<Count> known(Stack stack, Instant now) {
        return Optional.ofNullable(counts.get(stack))
                .filter(it -> Duration.between(it.at(), now).abs().compareTo(EVERY) < 0);
    }

    private synchronized void remember(Stack stack, Count count) {
        counts.put(stack, count);
    }

    /** How many versions there are; not counted far beyond the limit. */
    private int count(Stack stack) {
        int versions = 0;
        Optional<String> after = Optional.empty();
        do {
            List<DocumentHead> page = documents
                    .list(ListRequest.of(StateNames.history(stack), ListRequest.MAX_LIMIT)
                            .after(after))
                    .heads();
            versions += page.size();
            after = page.size() < ListRequest.MAX_LIMIT
                    ? Optional.empty()
                    : Optional.of(page.get(page.size() - 1).name());
        } while (after.isPresent() && versions < config.maxVersions() + ListRequest.MAX_LIMIT);
        return versions;
    }

    private void removeOld(Stack stack, StateVersion current, Instant before) {
        List<String> old = new ArrayList<>();
        for (String version : oldest(stack, MAX_REMOVED)) {
            if (VersionNames.time(version).map(before::isAfter).orElse(false)) {
                old.add(version);
            }
        }
        old.remove(current.version());
        if (!old.isEmpty() && isWorth(old, before)) {
            remove(stack, current, old);
        }
    }

    /** Removes a few more than must be, so that not every save has to; how many. */
    private int removeTooMany(Stack stack, StateVersion current, int versions) {
        int tooMany = versions - config.maxVersions();
        if (tooMany <= 0) {
            return 0;
        }
        int group = Math.min(MAX_REMOVED, tooMany + Math.min(MAX_REMOVED / 2, config.maxVersions() / 10));
        return remove(stack, current, oldest(stack, group));
    }

    private List<String> oldest(Stack stack, int limit) {
        return documents.list(ListRequest.of(StateNames.history(stack), limit)).heads().stream()
                .flatMap(head -> StateNames.versionOf(head.name()).stream())
                .toList();
    }

    private int remove(Stack stack, StateVersion current, List<String> versions) {
        Optional<String> good = reading.lastGood(stack, Optional.of(current.version()));
        if (good.isEmpty()) {
            return 0; // which one to keep is not known: keep all
        }
        List<Change> removals = new ArrayList<>();
        for (String version : versions) {
            if (!version.equals(good.get()) && !version.equals(current.version())) {
                removals.add(Change.delete(StateNames.history(stack, version), Condition.none()));
            }
        }
        if (!removals.isEmpty()) {
            documents.write(removals);
        }
        return removals.size();
    }

    private static boolean isWorth(List<String> old, Instant before) {
        return old.size() >= MAX_REMOVED / 2
                || VersionNames.time(old.get(0))
                        .map(oldest -> oldest.isBefore(before.minus(SLACK)))
                        .orElse(true);
    }
}
