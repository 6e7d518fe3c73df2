package dev.holdfast.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** A counter for each constant of an enum, told apart by one label; all there from the start. */
final class Tally<E extends Enum<E>> {
    private final Counter[] counters;

    Tally(MeterRegistry registry, E[] constants, String name, String description, String label) {
        counters = new Counter[constants.length];
        for (E constant : constants) {
            counters[constant.ordinal()] = Counter.builder(name)
                    .description(description)
                    .tag(label, constant.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    void count(E constant) {
        counters[constant.ordinal()].increment();
    }
}
