package dev.holdfast.server.observe.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** A meter for each constant of an enum, all made at once: what is counted is there before it happens. */
final class MeterPerConstant<E extends Enum<E>, M> {
    private final Map<E, M> meters;

    /** Makes them; {@code make} is given the constant's name as a label writes it. */
    MeterPerConstant(Class<E> kinds, Function<String, M> make) {
        meters = new EnumMap<>(kinds);
        for (E kind : kinds.getEnumConstants()) {
            meters.put(kind, make.apply(kind.name().toLowerCase(Locale.ROOT)));
        }
    }

    M of(E kind) {
        return Objects.requireNonNull(meters.get(kind));
    }
}
