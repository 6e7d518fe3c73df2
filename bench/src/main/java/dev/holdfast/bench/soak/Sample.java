package dev.holdfast.bench.soak;

import java.time.Duration;
import java.util.Map;

/**
 * What was seen at a moment.
 *
 * @param at since the load began
 * @param values of the gauges that could be read
 */
record Sample(Duration at, Map<Gauge, Double> values) {
    Sample {
        values = Map.copyOf(values);
    }
}
