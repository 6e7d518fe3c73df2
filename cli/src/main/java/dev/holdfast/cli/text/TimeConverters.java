package dev.holdfast.cli.text;

import dev.holdfast.state.versions.PointInTime;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

public final class TimeConverters {
    private TimeConverters() {}

    /** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1h30m}, {@code 2d}; a number alone is seconds, such as {@code 0.5}. */
    public static final class OfDuration implements ITypeConverter<Duration> {
        private static final String NUMBER = "(?:[0-9]{1,9}(?:\\.[0-9]{1,9})?|\\.[0-9]{1,9})";
        private static final Pattern PART = Pattern.compile("(" + NUMBER + ")(ms|s|m|h|d)");
        private static final Pattern WHOLE = Pattern.compile("(" + PART.pattern() + ")+");
        private static final Pattern SECONDS = Pattern.compile(NUMBER);
        private static final Map<String, Double> SECONDS_OF_UNIT =
                Map.of("ms", 0.001, "s", 1.0, "m", 60.0, "h", 3_600.0, "d", 86_400.0);

        @Override
        public Duration convert(String text) {
            String whole = SECONDS.matcher(text).matches() ? text + "s" : text;
            if (!WHOLE.matcher(whole).matches()) {
                throw new TypeConversionException("'" + text
                        + "' is not a duration. Write for example 30s, 5m, 1h30m or 500ms; a number alone is seconds");
            }
            BigDecimal all = BigDecimal.ZERO;
            Matcher part = PART.matcher(whole);
            while (part.find()) {
                BigDecimal unit = BigDecimal.valueOf(SECONDS_OF_UNIT.getOrDefault(part.group(2), 0.0));
                all = all.add(new BigDecimal(part.group(1)).multiply(unit));
            }
            BigDecimal[] seconds = all.divideAndRemainder(BigDecimal.ONE);
            return Duration.ofSeconds(
                    seconds[0].longValue(), seconds[1].movePointRight(9).longValue());
        }
    }

    /** A moment as people write it: {@code 2026-11-15T10:30:00Z}, {@code 2026-11-15} (its start, here), or {@code 2h} (ago). */
    public static final class OfMoment implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                if (text.indexOf('T') > 0) {
                    return OffsetDateTime.parse(text).toInstant();
                }
                if (text.indexOf('-') > 0) {
                    return LocalDate.parse(text)
                            .atStartOfDay(ZoneId.systemDefault())
                            .toInstant();
                }
                Duration ago = new OfDuration().convert(text);
                return Instant.now().minus(ago);
            } catch (DateTimeException | TypeConversionException e) {
                throw new TypeConversionException(
                        "'" + text
                                + "' is not a time. Write for example 2026-11-15T10:30:00Z, 2026-11-15, or 2h for two hours ago");
            }
        }
    }

    /** A time to go back to, as a server takes it too, or how long ago: {@code 2h}. */
    public static final class OfPointInTime implements ITypeConverter<PointInTime> {
        @Override
        public PointInTime convert(String text) {
            try {
                return text.indexOf('-') > 0
                        ? PointInTime.parse(text)
                        : PointInTime.of(Instant.now().minus(new OfDuration().convert(text)));
            } catch (IllegalArgumentException | TypeConversionException e) {
                throw new TypeConversionException("'" + text + "' is not a time. Write for example "
                        + PointInTime.EXAMPLES + ", or 2h for two hours ago");
            }
        }
    }
}
