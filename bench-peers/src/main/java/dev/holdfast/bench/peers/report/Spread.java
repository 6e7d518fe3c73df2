package dev.holdfast.bench.peers.report;

import java.util.List;

/** One number of several runs: the middle one, or the mean of the two in the middle, and how far they were apart. */
public record Spread(double median, double lowest, double highest, int runs) {
    /** Of at least one value. */
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }
}
