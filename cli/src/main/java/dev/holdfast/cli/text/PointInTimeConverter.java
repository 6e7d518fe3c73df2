package dev.holdfast.cli.text;

import dev.holdfast.state.versions.PointInTime;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time to go back to, as a server takes it too, or how long ago: {@code 2h}. */
public final class PointInTimeConverter implements ITypeConverter<PointInTime> {
    @Override
    public PointInTime convert(String text) {
        try {
            return text.indexOf('-') > 0
                    ? PointInTime.parse(text)
                    : PointInTime.of(Instant.now().minus(new DurationConverter().convert(text)));
        } catch (IllegalArgumentException | TypeConversionException e) {
            throw new TypeConversionException("'" + text + "' is not a time. Write for example " + PointInTime.EXAMPLES
                    + ", or 2h for two hours ago");
        }
    }
}
