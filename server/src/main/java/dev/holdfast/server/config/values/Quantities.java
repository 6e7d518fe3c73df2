package dev.holdfast.server.config.values;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers, durations and sizes, each within a range. */
public final class Quantities {
    private static final Pattern PART = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern DURATION = Pattern.compile("(" + PART.pattern() + ")+");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(B|KB|MB|GB)", Pattern.CASE_INSENSITIVE);
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30);

    private Quantities() {}

    public static TextKind<Integer> integer(int least, int most) {
        return range(
                Integer.toString(least), Integer.toString(most), WHOLE, "a whole number %s", Quantities::clampedToInt);
    }

    public static TextKind<Double> decimal(double least, double most) {
        return range(Double.toString(least), Double.toString(most), DECIMAL, "a number %s", Double::valueOf);
    }

    /** A time such as {@code 500ms}, {@code 30s} or {@code 1h30m}. The ends of the range are written the same way. */
    public static TextKind<Duration> duration(String least, String most) {
        return range(least, most, DURATION, "a time %s, with its unit (ms, s, m, h or d)", Quantities::time);
    }

    /** A number of bytes such as {@code 512B}, {@code 16KB} or {@code 4MB}; one KB is 1024 bytes. */
    public static TextKind<Long> size(String least, String most) {
        return range(least, most, SIZE, "a size %s, with its unit (B, KB, MB or GB)", Quantities::bytes);
    }

    /** @param needed what is said of a text of another shape; the range is put in */
    private static <T extends Comparable<T>> TextKind<T> range(
            String least, String most, Pattern shape, String needed, Function<String, T> read) {
        String allowed = "between " + least + " and " + most;
        T from = read.apply(least);
        T to = read.apply(most);
        return TextKind.of(allowed, text -> {
            if (!shape.matcher(text).matches()) {
                throw ValueRefusal.mustBe(needed.replace("%s", allowed));
            }
            T value = read.apply(text);
            if (value.compareTo(from) < 0 || value.compareTo(to) > 0) {
                throw ValueRefusal.mustBe(allowed);
            }
            return value;
        });
    }

    private static Duration time(String duration) {
        Matcher part = PART.matcher(duration);
        BigInteger sum = BigInteger.ZERO;
        while (part.find()) {
            sum = sum.add(product(part.group(1), MILLIS.getOrDefault(part.group(2), 0L)));
        }
        return Duration.ofMillis(clamped(sum));
    }

    private static long bytes(String size) {
        Matcher matcher = SIZE.matcher(size.toUpperCase(Locale.ROOT));
        return matcher.matches() ? clamped(product(matcher.group(1), BYTES.getOrDefault(matcher.group(2), 0L))) : 0;
    }

    private static BigInteger product(String digits, long unit) {
        return new BigInteger(digits).multiply(BigInteger.valueOf(unit));
    }

    /** More than any range allows is still more; it must not wrap around into it. */
    private static long clamped(BigInteger value) {
        return value.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }
    /** The same for a smaller number. */
    private static int clampedToInt(String digits) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, Long.parseLong(digits)));
    }
}
