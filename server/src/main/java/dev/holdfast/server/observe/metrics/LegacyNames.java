package dev.holdfast.server.observe.metrics;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that metrics had before all of them began with {@code holdfast_}: the same values, shown twice. They are copied in the text
 * that is scraped, so nothing is measured twice.
 */
final class LegacyNames {
    private static final String PREFIX = "holdfast_";

    /** Given by the documents this product follows: always there. */
    static final List<String> PROMISED = List.of(
            "db_stop_skipped_shared_active_total",
            "db_stop_skipped_lock_total",
            "db_stop_stopped_total",
            "lock_acquire_retries",
            "lock_acquire_duration_seconds",
            "deployer_lock_acquisition_success_total",
            "deployer_lock_acquisition_failure_total",
            "deployer_lock_held_duration_seconds",
            "deployer_lock_heartbeat_success_total",
            "deployer_lock_heartbeat_failure_total",
            "deployer_lock_stale_detected_total");

    /** There unless they are switched off. */
    static final List<String> OPTIONAL = List.of(
            "lock_wait_duration_seconds",
            "lock_held_duration_seconds",
            "lock_active",
            "lock_waiters",
            "lock_stale",
            "lock_renewals_total",
            "lock_lost_total",
            "lock_forced_total",
            "store_write_batch_size",
            "store_duration_seconds",
            "store_clock_error_seconds");

    /** A line of the format: perhaps the words before a name, the name, and the rest. */
    private static final Pattern LINE = Pattern.compile("(# HELP |# TYPE )?" + PREFIX + "([a-z_]+)([ {].*)");

    private static final Pattern PART = Pattern.compile("_(count|sum|bucket|max)$");

    private final Set<String> names = new TreeSet<>(PROMISED);

    LegacyNames(boolean optional) {
        if (optional) {
            names.addAll(OPTIONAL);
        }
    }

    String added(String scrape) {
        StringBuilder all = new StringBuilder(scrape);
        scrape.lines()
                .map(LINE::matcher)
                .filter(line -> line.matches() && isOld(line.group(2)))
                .forEach(line -> all.append(copy(line)).append('\n'));
        return all.toString();
    }

    private boolean isOld(String name) {
        return names.contains(name) || names.contains(PART.matcher(name).replaceFirst(""));
    }

    private static String copy(Matcher line) {
        String before = line.group(1) == null ? "" : line.group(1);
        String name = line.group(2);
        String same = before.equals("# HELP ") ? " The same as " + PREFIX + name + "." + line.group(3) : line.group(3);
        return before + name + same;
    }
}
