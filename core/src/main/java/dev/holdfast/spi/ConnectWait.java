package dev.holdfast.spi;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens what a URL names, and waits for it if it is not there yet: a database that is being started, or one that a
 * crowd of starting processes keeps busy. It is tried again until the wait is over, with growing pauses of random
 * length.
 *
 * <p>The type of the failure says whether to wait: only {@link StoreUnavailableException} means that trying again may
 * help. Everything else, such as a wrong password or tables of somebody else, is thrown at once.
 *
 * <p>A URL may say how long: {@code ?connect_wait=10s}. That takes precedence over what a program has set, and no store
 * sees it.
 */
public final class ConnectWait {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectWait.class);

    /** How long {@code connect} waits unless told otherwise: a database restarts within it, and a person still has patience. */
    public static final Duration DEFAULT = Duration.ofSeconds(30);
    /** Longer than anybody waits on purpose. */
    public static final Duration MAX = Duration.ofHours(1);
    /** The parameter's name, the same on every store. */
    public static final String PARAMETER = "connect_wait";

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 1_600;
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)|0");

    /** Lets time pass. */
    interface Pause {
        void of(long millis) throws InterruptedException;
    }

    private final LocalTime time;
    private final Pause pause;

    ConnectWait(LocalTime time, Pause pause) {
        this.time = time;
        this.pause = pause;
    }

    /**
     * Opens it.
     *
     * @param url may say how long to wait
     * @param wait how long, if it does not; zero for a single attempt. An attempt under way at the end of it is not cut off
     * @param opening opens the URL, which no longer has the parameter
     * @throws IllegalArgumentException if a wait is not between zero and {@link #MAX}
     * @throws StoreUnavailableException if it is still not there in the end, or the thread is interrupted
     */
    public static <T> T open(String url, Duration wait, Function<String, T> opening) {
        return new ConnectWait(LocalTime.SYSTEM, Thread::sleep).tryUntil(url, wait, opening);
    }

    <T> T tryUntil(String url, Duration wait, Function<String, T> opening) {
        Duration patience = checked(waitOf(url, wait));
        String bare = without(url);
        long start = time.nanos();
        long longest = FIRST_PAUSE_MILLIS;
        for (boolean said = false; ; said = true) {
            try {
                T opened = opening.apply(bare);
                if (said) {
                    LOG.info("{} is there, after {}", StoreUrls.masked(bare), seconds(time.nanos() - start));
                }
                return opened;
            } catch (StoreUnavailableException e) {
                long left = patience.toNanos() - (time.nanos() - start);
                if (left <= 0) {
                    throw patience.isZero() ? e : tooLong(e, time.nanos() - start);
                }
                if (!said) {
                    LOG.warn("Waiting up to {} for it: {}", seconds(patience.toNanos()), e.getMessage());
                }
                // Random, so that those who failed together do not come back together.
                sleep(
                        Math.min(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1), left / 1_000_000 + 1),
                        e);
                longest = Math.min(2 * longest, MAX_PAUSE_MILLIS);
            }
        }
    }

    private void sleep(long millis, StoreUnavailableException why) {
        try {
            pause.of(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted while waiting for it: " + why.getMessage(), why);
        }
    }

    private static StoreUnavailableException tooLong(StoreUnavailableException last, long waited) {
        return new StoreUnavailableException(
                last.getMessage() + " (tried for " + seconds(waited) + "; ?" + PARAMETER
                        + "=… in its URL sets how long)",
                last);
    }

    private static String seconds(long nanos) {
        long millis = nanos / 1_000_000;
        return millis < 1_000 ? millis + " ms" : (millis + 500) / 1_000 + " s";
    }

    // ---- the parameter

    /** The URL without the parameter: what a store understands. */
    public static String without(String url) {
        int question = url.indexOf('?');
        if (question < 0 || !url.contains(PARAMETER + "=")) {
            return url;
        }
        String others = Arrays.stream(url.substring(question + 1).split("&", -1))
                .filter(parameter -> !isOurs(parameter))
                .collect(Collectors.joining("&"));
        return url.substring(0, question) + (others.isEmpty() ? "" : "?" + others);
    }

    /** The URL with this wait, unless it has one. */
    public static String with(String url, Duration wait) {
        if (!without(url).equals(url)) {
            return url;
        }
        return url + (url.contains("?") ? "&" : "?") + PARAMETER + "="
                + checked(wait).toMillis() + "ms";
    }

    private static Duration waitOf(String url, Duration otherwise) {
        int question = url.indexOf('?');
        if (question < 0) {
            return otherwise;
        }
        return Arrays.stream(url.substring(question + 1).split("&", -1))
                .filter(ConnectWait::isOurs)
                .reduce((first, last) -> last)
                .map(parameter -> duration(parameter.substring(PARAMETER.length() + 1)))
                .orElse(otherwise);
    }

    private static boolean isOurs(String parameter) {
        return parameter.startsWith(PARAMETER + "=");
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    PARAMETER + " '" + text + "' is not a duration; try 30s, 500ms or 2m, or 0 for a single attempt");
        }
        if (matcher.group(1) == null) {
            return Duration.ZERO;
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** The wait itself, if it is one. */
    public static Duration checked(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(PARAMETER + " must be between 0 and 1h, was " + wait);
        }
        return wait;
    }
}
