package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.observe.audit.AuditLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The levels of loggers, changed while a server runs: for good, until the next restart, or for a while. The level of Holdfast's own
 * loggers is the one of the settings, unless it was changed here. Safe for any thread.
 */
public final class LogLevels implements AutoCloseable {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogLevels.class);
    /** Above all loggers of Holdfast. */
    public static final String OWN = "dev.holdfast";
    /** Longer than anybody looks. */
    public static final Duration LONGEST = Duration.ofDays(1);
    /** Each name makes a logger that stays until the process ends. */
    static final int MOST = 100;

    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]{0,99}(\\.[A-Za-z0-9_$-]{1,100}){0,20}");

    private final Clock clock;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("holdfast-log-levels"));
    private final Map<String, ChangedLevel> changed = new LinkedHashMap<>(); // guarded by this, as the rest
    /** The level each had of its own; empty for that of the logger above. */
    private final Map<String, Optional<ch.qos.logback.classic.Level>> before = new LinkedHashMap<>();

    private Level configured;

    private record ChangedLevel(LevelChange change, Optional<Future<?>> end) {}

    /**
     * A level that was changed.
     *
     * @param logger whose, and of those below it
     * @param until when it goes back; empty for at the next restart
     */
    public record LevelChange(String logger, Level level, Optional<Instant> until) {}

    public LogLevels(Level configured, Clock clock) {
        this.configured = configured;
        this.clock = clock;
    }

    /** The level that Holdfast's own loggers have unless it was changed here. */
    public synchronized Level configured() {
        return configured;
    }

    /** What was changed, and has not gone back. */
    public synchronized List<LevelChange> changes() {
        return changed.values().stream().map(ChangedLevel::change).toList();
    }

    /**
     * A logger whose level may be changed.
     *
     * @throws IllegalArgumentException if it may not, with the reason
     */
    public static String logger(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("must be the name of a logger, such as " + OWN + ".server");
        }
        if (name.equals("ROOT") || isAtOrBelow(name, "holdfast")) {
            throw new IllegalArgumentException(
                    "'" + name + "' cannot be changed: the audit has no level. Name one below " + OWN);
        }
        return name;
    }

    private static boolean isAtOrBelow(String name, String parent) {
        return name.equals(parent) || name.startsWith(parent + ".") || name.startsWith(AuditLog.LOGGER);
    }

    /**
     * A level by its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Level level(String name) {
        return Stream.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG)
                .filter(level -> level.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be error, warn, info or debug"));
    }

    /** Why this logger may not have this level; empty if it may. Libraries tell passwords and tokens when they tell everything. */
    public static Optional<String> objection(String logger, Level level) {
        return level == Level.DEBUG && !isAtOrBelow(logger, OWN)
                ? Optional.of("'" + logger
                        + "' belongs to a library, whose debug lines may show secrets: allowed are error, warn"
                        + " and info")
                : Optional.empty();
    }

    /**
     * Changes the level of a logger and those below it.
     *
     * @param time after which it goes back; empty for at the next restart
     * @throws IllegalArgumentException if too many were changed already
     */
    public synchronized LevelChange change(String logger, Level level, Optional<Duration> time) {
        if (!before.containsKey(logger) && before.size() >= MOST) {
            throw new IllegalArgumentException(
                    "no more than " + MOST + " loggers can be changed until the next restart");
        }
        Logger known = context().getLogger(logger);
        before.putIfAbsent(logger, Optional.ofNullable(known.getLevel()));
        stopTimer(logger);
        known.setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
        LevelChange change = new LevelChange(logger, level, time.map(clock.instant()::plus));
        Optional<Future<?>> end = time.map(after -> {
            Future<?> scheduled = timer.schedule(() -> back(logger), after.toMillis(), TimeUnit.MILLISECONDS);
            return scheduled;
        });
        changed.put(logger, new ChangedLevel(change, end));
        return change;
    }

    /** Takes back what was changed of this logger; whether anything was. */
    public synchronized boolean back(String logger) {
        if (!changed.containsKey(logger)) {
            return false;
        }
        stopTimer(logger);
        changed.remove(logger);
        context()
                .getLogger(logger)
                .setLevel(
                        logger.equals(OWN)
                                ? ch.qos.logback.classic.Level.convertAnSLF4JLevel(configured)
                                : before.getOrDefault(logger, Optional.empty()).orElse(null));
        LOG.info("The log level of {} is what it was before", logger);
        return true;
    }

    /** The settings were read again: their level counts from now on, and what was changed here is taken back. */
    public synchronized void configured(Level level) {
        List.copyOf(changed.keySet()).forEach(this::back);
        configured = level;
        context().getLogger(OWN).setLevel(ch.qos.logback.classic.Level.convertAnSLF4JLevel(level));
    }

    private void stopTimer(String logger) {
        Optional.ofNullable(changed.get(logger)).flatMap(ChangedLevel::end).ifPresent(end -> end.cancel(false));
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
