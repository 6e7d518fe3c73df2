package dev.holdfast.cli.text;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h30m}, {@code 2d}; a bare number is seconds. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern WHOLE = Pattern.compile("(" + PART.pattern() + ")+");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    @Override
    public Duration convert(String text) {
        if (SECONDS.matcher(text).matches()) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration. Write for example 30s, 5m, 1h30m or 500ms");
        }
        long all = 0;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            all += Long.parseLong(part.group(1)) * MILLIS.getOrDefault(part.group(2), 0L);
        }
        return Duration.ofMillis(all);
    }
}
