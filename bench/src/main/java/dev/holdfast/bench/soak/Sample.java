package dev.holdfast.bench.soak;

import java.time.Duration;
import java.util.Map;

/** The gauges that could be read at a moment since the load began. */
record Sample(Duration at, Map<Gauge, Double> values) {
    Sample {
        values = Map.copyOf(values);
    }
}
