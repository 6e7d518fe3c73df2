package dev.holdfast.jdbc.table;

import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a database has of Holdfast's tables, as it was found, and what follows from it. A table is ours if it has our name and
 * all our columns; one with our name alone is somebody else's, and nothing is done beside it.
 *
 * @param place the database, for messages
 * @param expected our tables and their columns, in the order in which they are made
 * @param there those of our names that are in use, with the columns they have
 * @param version what the tables say of themselves; 0 if they say nothing
 */
public record OwnTables(String place, Map<String, Set<String>> expected, Map<String, Set<String>> there, int version) {
    /** The version of the tables this code writes. */
    public static final int VERSION = 1;
    /** The version of the views, which are replaced while older processes go on: they never look into them. */
    public static final int VIEWS = 3;

    public static final String META = "holdfast_meta";

    private static final Map<String, String> LOSSES = Map.of(
            "holdfast_lock",
            "all previous holders and waiters are forgotten, and so is completed once-only work. A program that still"
                    + " believes in a lease is protected only by its token: end such programs, or wait until their"
                    + " leases are over, before others take locks",
            "holdfast_event",
            "the previous history is gone, and events are numbered from 1 again: clients that follow them must start"
                    + " over",
            "holdfast_fence",
            "the highest token that wrote under each lock is forgotten: a transaction that checks refuses an older holder only once"
                    + " a newer one has checked again",
            META,
            "only the version of the tables; no lock depends on it");

    /** The tables and columns where times are texts, given those of the tables that differ all the same. */
    public static Map<String, Set<String>> ofTexts(Set<String> fence, Set<String> meta) {
        Map<String, Set<String>> tables = new LinkedHashMap<>();
        Set<String> lock = new HashSet<>(LockRows.COLUMNS);
        lock.addAll(List.of("id", "namespace", "name"));
        tables.put("holdfast_lock", lock);
        Set<String> event = new HashSet<>(List.of(EventRows.COLUMNS.split(", ", -1)));
        event.add("number");
        tables.put("holdfast_event", event);
        tables.put("holdfast_fence", fence);
        tables.put(META, meta);
        return tables;
    }

    /** A table of our name that is not ours. */
    public Optional<String> foreign() {
        return there.keySet().stream().filter(table -> !isOurs(table)).findFirst();
    }

    private boolean isOurs(String table) {
        return there.getOrDefault(table, Set.of()).containsAll(expected.getOrDefault(table, Set.of()));
    }

    public boolean isNone() {
        return there.isEmpty();
    }

    public List<String> missing() {
        return expected.keySet().stream()
                .filter(table -> !there.containsKey(table))
                .toList();
    }

    /** Whether there are some of ours, but not all, or not what they say of themselves. */
    public boolean isPart() {
        return !isNone() && (!missing().isEmpty() || version == 0);
    }

    // ---- refusals

    /** Refuses what nobody here may touch: tables of others, and of a newer version. */
    public void refuseForeign(String elsewhere) {
        foreign().ifPresent(table -> {
            throw new StoreUnusableException(
                    place + " has a table '" + table + "' that is not Holdfast's. It was not touched; " + elsewhere,
                    null);
        });
        if (version > VERSION) {
            throw new StoreUnusableException(
                    place + " was written by a newer Holdfast (tables of version " + version + ", this one knows "
                            + VERSION + "). It was not touched; upgrade this process",
                    null);
        }
    }

    /** Refuses what was ours and is not whole: only a person can say what to do about the loss. */
    public void refusePart() {
        if (!isPart()) {
            return;
        }
        List<String> missing = missing();
        throw new StoreUnusableException(
                place + " has only a part of Holdfast's tables: "
                        + (missing.isEmpty()
                                ? "the version in '" + META + "'"
                                : "'" + String.join("', '", missing) + "'")
                        + (missing.size() > 1 ? " are" : " is")
                        + " missing. Nothing was touched. Restore a backup; or create what is missing again, without"
                        + " its contents: holdfast schema migrate --repair; or remove the rest: holdfast schema drop"
                        + " --yes",
                null);
    }

    /** What it means that those missing are made anew; nothing where there were none before. */
    public List<String> losses() {
        return isNone()
                ? List.of()
                : missing().stream()
                        .map(table -> "'" + table + "' was missing and was created again, empty: "
                                + LOSSES.getOrDefault(table, ""))
                        .toList();
    }

    /** A name of a view that something else has. */
    public static String hidden(String place, String view) {
        return place + " has a table or view of its own named '" + view
                + "', so Holdfast's view of that name is not there: whoever reads it does not see Holdfast's locks."
                + " Rename it, and the next start creates the view. Locks that are still held in it: holdfast migrate"
                + " --from-table";
    }

    /** What to say if the newest earlier token is this far ahead of the clock; empty if it is not. */
    public static Optional<String> ahead(long micros) {
        return micros <= 0
                ? Optional.empty()
                : Optional.of(
                        "The newest earlier token is ahead of the server's clock, so tokens of forgotten locks could"
                                + " repeat: let nobody take locks for another "
                                + written(Duration.ofSeconds(micros / 1_000_000 + 1)));
    }

    /** Whole seconds as they are written everywhere else, {@code 1h1s}. */
    private static String written(Duration time) {
        return time.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }
}
