package dev.holdfast.guard;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the answers of an app are understood when it is decided whether to stop what it uses. By default an app that
 * answers is running, and only 5xx means that it does not work.
 *
 * <p>A code in {@code up} means that the app runs, one in {@code down} that it does not work. Without {@code up}, every code that is
 * not down is up; without {@code down}, 5xx is down, except what is up. Of a code that is neither, nobody can say what it
 * means: it keeps the database.
 *
 * @param path where it is asked instead of at the app's URL: a path on the same host
 * @param up codes that mean that it runs
 * @param down codes that mean that it does not work
 * @param downAfter how long it must answer that, and nothing else, to count as down without having been asked to stop; empty for
 *     what is usual
 */
public record HealthCheck(Optional<String> path, HttpCodes up, HttpCodes down, Optional<Duration> downAfter) {
    public static final HealthCheck USUAL =
            new HealthCheck(Optional.empty(), new HttpCodes(List.of()), new HttpCodes(List.of()), Optional.empty());

    /** Longer than this nobody waits for a database to be stopped. */
    static final Duration MAX_DOWN_AFTER = Duration.ofDays(7);

    private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e&&[^#\\\\]]{0,999}");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

    /**
     * The same as somebody wrote it; nothing in it is checked yet.
     *
     * @param path a path, perhaps with a query
     * @param up codes and ranges, such as {@code 404} or {@code 200-299}
     * @param down the same
     * @param downAfter such as {@code 10m}
     */
    public record Spec(Optional<String> path, List<String> up, List<String> down, Optional<String> downAfter) {
        public Spec {
            up = List.copyOf(up);
            down = List.copyOf(down);
        }

        /**
         * What it says.
         *
         * @throws IllegalArgumentException naming everything that is wrong with it
         */
        public HealthCheck toHealthCheck() {
            List<String> problems = new ArrayList<>();
            HealthCheck health = check(problems);
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", problems));
            }
            return health;
        }

        /** The same; adds what is wrong with it to the problems. */
        public HealthCheck check(List<String> problems) {
            if (path.isPresent()
                    && (!PATH.matcher(path.get()).matches() || path.get().startsWith("//"))) {
                problems.add(
                        "health.path '" + Registration.shown(path.get())
                                + "' must be a path on the app's host, such as /health: a '/' and up to 999 further characters of a URL");
            }
            List<String> wrong = new ArrayList<>();
            HttpCodes ups = HttpCodes.parse(up, "health.up", wrong);
            HttpCodes downs = HttpCodes.parse(down, "health.down", wrong);
            problems.addAll(wrong);
            if (wrong.isEmpty() && ups.overlaps(downs)) {
                problems.add("health.up and health.down name the same code; a code means one or the other");
            }
            Optional<Duration> after = downAfter.flatMap(Spec::duration);
            if (downAfter.isPresent() && after.isEmpty()) {
                problems.add("health.down_after '" + Registration.shown(downAfter.get())
                        + "' must be a time from 0s to 7d with its unit (ms, s, m, h or d), such as 10m");
            }
            return new HealthCheck(path, ups, downs, after);
        }

        private static Optional<Duration> duration(String text) {
            var matcher = DURATION.matcher(text.strip());
            if (!matcher.matches()) {
                return Optional.empty();
            }
            Duration duration = Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)));
            return Optional.of(duration).filter(one -> one.compareTo(MAX_DOWN_AFTER) <= 0);
        }
    }

    public boolean isUsual() {
        return equals(USUAL);
    }

    /** Whether an answer with this code means that the app runs; empty if nobody can say. */
    public Optional<Boolean> runs(int code) {
        if (up.contains(code)) {
            return Optional.of(true);
        }
        if ((down.isEmpty() ? HttpCodes.SERVER_ERRORS : down).contains(code)) {
            return Optional.of(false);
        }
        return up.isEmpty() ? Optional.of(true) : Optional.empty();
    }

    /** As somebody would write it. */
    public Spec spec() {
        return new Spec(path, up.texts(), down.texts(), downAfter.map(HealthCheck::text));
    }

    /** Where an app with this URL is asked. */
    public URI at(URI url) {
        return path.map(url::resolve).orElse(url);
    }

    /** As it is written: {@code 10m}, {@code 90s}. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3_600 != 0 ? seconds / 60 + "m" : seconds / 3_600 + "h";
    }
}
