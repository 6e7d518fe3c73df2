package dev.holdfast.server.config.values;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers, durations and sizes, each within a range. */
public final class Quantities {
    private static final Pattern PART = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");
    private static final Pattern DURATION = Pattern.compile("(" + PART.pattern() + ")+");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(B|KB|MB|GB)");
    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30);

    private Quantities() {}

    public static TextKind<Integer> integer(int least, int most) {
        String allowed = "between " + least + " and " + most;
        return TextKind.of(allowed, text -> {
            if (!WHOLE.matcher(text).matches()) {
                throw ValueRefusal.mustBe("a whole number " + allowed);
            }
            return Math.toIntExact(within(Long.parseLong(text), least, most, allowed));
        });
    }

    public static TextKind<Double> decimal(double least, double most) {
        String allowed = "between " + least + " and " + most;
        return TextKind.of(allowed, text -> {
            if (!DECIMAL.matcher(text).matches()) {
                throw ValueRefusal.mustBe("a number " + allowed);
            }
            double number = Double.parseDouble(text);
            if (number < least || number > most) {
                throw ValueRefusal.mustBe(allowed);
            }
            return number;
        });
    }

    /** A time such as {@code 500ms}, {@code 30s} or {@code 1h30m}. The ends of the range are written the same way. */
    public static TextKind<Duration> duration(String least, String most) {
        String allowed = "between " + least + " and " + most;
        long from = millis(least);
        long to = millis(most);
        return TextKind.of(allowed, text -> {
            if (!DURATION.matcher(text).matches()) {
                throw ValueRefusal.mustBe("a time " + allowed + ", with its unit (ms, s, m, h or d)");
            }
            return Duration.ofMillis(within(millis(text), from, to, allowed));
        });
    }

    /** A number of bytes such as {@code 512B}, {@code 16KB} or {@code 4MB}; one KB is 1024 bytes. */
    public static TextKind<Long> size(String least, String most) {
        String allowed = "between " + least + " and " + most;
        long from = bytes(least);
        long to = bytes(most);
        return TextKind.of(allowed, text -> {
            if (!SIZE.matcher(text.toUpperCase(Locale.ROOT)).matches()) {
                throw ValueRefusal.mustBe("a size " + allowed + ", with its unit (B, KB, MB or GB)");
            }
            return within(bytes(text.toUpperCase(Locale.ROOT)), from, to, allowed);
        });
    }

    private static long within(long value, long least, long most, String allowed) throws ValueRefusal {
        if (value < least || value > most) {
            throw ValueRefusal.mustBe(allowed);
        }
        return value;
    }

    private static long millis(String duration) {
        Matcher part = PART.matcher(duration);
        BigInteger sum = BigInteger.ZERO;
        while (part.find()) {
            sum = sum.add(product(part.group(1), MILLIS.getOrDefault(part.group(2), 0L)));
        }
        return clamped(sum);
    }

    private static long bytes(String size) {
        Matcher matcher = SIZE.matcher(size);
        return matcher.matches() ? clamped(product(matcher.group(1), BYTES.getOrDefault(matcher.group(2), 0L))) : 0;
    }

    private static BigInteger product(String digits, long unit) {
        return new BigInteger(digits).multiply(BigInteger.valueOf(unit));
    }

    /** More than any range allows is still more; it must not wrap around into it. */
    private static long clamped(BigInteger value) {
        return value.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }
}
