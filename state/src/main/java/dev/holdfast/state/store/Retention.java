package dev.holdfast.state.store;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes versions past their time, and the oldest of those that are too many, after saves: at most a hundred each. Never
 * the current version, nor the newest good one before it, however old they are.
 *
 * <p>Versions are counted after every so many saves of this process, and removed by that count alone: other replicas save and remove
 * too. In between there may be a few more than the limit, never fewer.
 */
public final class Retention {
    /** Work per save. */
    private static final int MAX_REMOVED = Change.MAX_CHANGES;

    private static final Duration EVERY = Duration.ofHours(1);
    /** Counting looks at every version: not after each save. */
    private static final int COUNT_AFTER = 50;
    /** Versions go in groups, so that the last good one is not looked for at every save. */
    private static final Duration SLACK = Duration.ofHours(12);
    /** Stacks that are remembered. */
    private static final int MAX_REMEMBERED = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final DocumentStore documents;
    private final VersionReader reading;
    private final StateConfig config;
    private final int countAfter;

    /** When the old versions of a stack were looked for here, and how many saves there were since they were counted. */
    private record LastLook(Instant at, int saves) {}

    private final Map<Stack, LastLook> stacks = new RecentMap<>(MAX_REMEMBERED);

    public Retention(DocumentStore documents, VersionReader reading, StateConfig config) {
        this.documents = documents;
        this.reading = reading;
        this.config = config;
        this.countAfter = Math.max(1, Math.min(COUNT_AFTER, config.maxVersions() / 4));
    }

    /** Prunes; a failure is only logged, for the save was made, and the next one prunes again. */
    public void prune(Stack stack, StateVersion current) {
        Instant now = config.clock().instant();
        try {
            if (isOldDue(stack, now)) {
                removeOld(stack, current, now.minus(config.retention()));
            }
            if (isCountDue(stack, now)) {
                removeTooMany(stack, current);
            }
        } catch (StoreException e) {
            LOG.warn("Old versions of state {} could not be removed: {}", stack, e.getMessage());
        }
    }

    private synchronized boolean isOldDue(Stack stack, Instant now) {
        LastLook last = stacks.get(stack);
        if (last != null && Duration.between(last.at(), now).abs().compareTo(EVERY) < 0) {
            return false;
        }
        stacks.put(stack, new LastLook(now, last == null ? 0 : last.saves()));
        return true;
    }

    private synchronized boolean isCountDue(Stack stack, Instant now) {
        LastLook last = stacks.getOrDefault(stack, new LastLook(now, 0));
        boolean due = last.saves() + 1 >= countAfter;
        stacks.put(stack, new LastLook(last.at(), due ? 0 : last.saves() + 1));
        return due;
    }

    /** What is removed is of the same look as the count: whoever else counts meanwhile removes the same ones, and not more. */
    private void removeTooMany(Stack stack, StateVersion current) {
        int versions = 0;
        List<String> oldest = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            DocumentStore.NamePage page =
                    documents.names(ListRequest.of(StateNames.history(stack), ListRequest.MAX_LIMIT)
                            .after(after));
            versions += page.names().size();
            versions(page).limit(MAX_REMOVED - oldest.size()).forEach(oldest::add);
            after = page.next();
        } while (after.isPresent() && versions < config.maxVersions() + MAX_REMOVED);
        int tooMany = versions - config.maxVersions();
        if (tooMany > 0) {
            remove(stack, current, oldest.subList(0, Math.min(tooMany, oldest.size())));
        }
    }

    private static Stream<String> versions(DocumentStore.NamePage page) {
        return page.names().stream().flatMap(name -> StateNames.versionOf(name).stream());
    }

    private void removeOld(Stack stack, StateVersion current, Instant before) {
        List<String> old = oldest(stack).stream()
                .filter(version -> !version.equals(current.version()))
                .filter(version ->
                        VersionNames.time(version).filter(before::isAfter).isPresent())
                .toList();
        if (!old.isEmpty() && isWorth(old, before)) {
            remove(stack, current, old);
        }
    }

    /** The oldest, so many; a page may have none, where what was deleted leaves its name behind. */
    private List<String> oldest(Stack stack) {
        List<String> versions = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            DocumentStore.NamePage page = documents.names(
                    ListRequest.of(StateNames.history(stack), MAX_REMOVED).after(after));
            versions(page).forEach(versions::add);
            after = page.next();
        } while (after.isPresent() && versions.size() < MAX_REMOVED);
        return versions.subList(0, Math.min(MAX_REMOVED, versions.size()));
    }

    private void remove(Stack stack, StateVersion current, List<String> versions) {
        Optional<String> good = reading.lastGood(stack, Optional.of(current.version()));
        if (good.isEmpty()) {
            return; // which one to keep is not known: keep all
        }
        List<Change> removals = versions.stream()
                .filter(version -> !version.equals(good.get()) && !version.equals(current.version()))
                .<Change>map(version -> Change.delete(StateNames.history(stack, version), Condition.none()))
                .toList();
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
