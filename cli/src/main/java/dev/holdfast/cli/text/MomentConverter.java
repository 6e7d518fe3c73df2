package dev.holdfast.cli.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment as people write it: {@code 2026-11-15T10:30:00Z}, {@code 2026-11-15} (its start, here), or {@code 2h} (ago). */
public final class MomentConverter implements ITypeConverter<Instant> {
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
            Duration ago = new DurationConverter().convert(text);
            return Instant.now().minus(ago);
        } catch (DateTimeException | TypeConversionException e) {
            throw new TypeConversionException("'" + text
                    + "' is not a time. Write for example 2026-11-15T10:30:00Z, 2026-11-15, or 2h for two hours ago");
        }
    }
}
