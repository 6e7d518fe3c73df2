package dev.holdfast.bench.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How fast one thing grew from the start of the measured time to its end, after a fresh server has filled its pools and caches. */
record GrowthRate(Gauge gauge, double from, double to, double perHour, Verdict verdict) {
    /** What a month has; rounded up. */
    private static final double HOURS_OF_A_MONTH = 31 * 24;

    /** Too few points have no direction. */
    private static final int FEWEST = 4;

    /** Shorter than this, what is kept for a minute had no time to come and go. */
    static final Duration SHORTEST = Duration.ofSeconds(90);

    enum Verdict {
        STEADY("steady"),
        GROWS("GROWS"),
        TOO_SHORT("too short to tell"),
        NOT_SEEN("not seen from here");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** Of the samples from a moment on. */
    static GrowthRate of(Gauge gauge, List<Sample> samples, Duration settled) {
        List<double[]> points = new ArrayList<>();
        Duration begin = settled.compareTo(gauge.settles()) < 0 ? gauge.settles() : settled;
        boolean seen = false;
        for (Sample sample : samples) {
            Double value = sample.values().get(gauge);
            seen |= value != null;
            if (value != null && sample.at().compareTo(begin) >= 0) {
                points.add(new double[] {sample.at().toMillis() / 3_600_000.0, value});
            }
        }
        if (points.size() < 2) {
            double value = points.isEmpty() ? 0 : points.get(0)[1];
            return new GrowthRate(gauge, value, value, 0, seen ? Verdict.TOO_SHORT : Verdict.NOT_SEEN);
        }
        double slope = slope(points);
        double hours = points.get(points.size() - 1)[0] - points.get(0)[0];
        double middle = median(points.stream().mapToDouble(point -> point[1]).toArray());
        double from = middle - slope * hours / 2;
        double to = middle + slope * hours / 2;
        return new GrowthRate(
                gauge, Math.max(0, from), Math.max(0, to), slope, verdict(gauge, points, slope, hours, middle));
    }

    private static Verdict verdict(Gauge gauge, List<double[]> points, double slope, double hours, double level) {
        if (points.size() < FEWEST || hours * 3_600 < SHORTEST.toSeconds()) {
            return Verdict.TOO_SHORT;
        }
        boolean grows = slope > gauge.allowedPerHour() && slope * hours > gauge.wander(level);
        return grows ? Verdict.GROWS : Verdict.STEADY;
    }

    /** The median of the slopes between any two points (Theil and Sen): a few wild ones do not turn it. */
    private static double slope(List<double[]> points) {
        List<Double> slopes = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            for (int j = i + 1; j < points.size(); j++) {
                double hours = points.get(j)[0] - points.get(i)[0];
                if (hours > 0) {
                    slopes.add((points.get(j)[1] - points.get(i)[1]) / hours);
                }
            }
        }
        return median(slopes.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    /** Where it would be a month later at this rate. */
    double inAMonth() {
        return Math.max(0, to + perHour * HOURS_OF_A_MONTH);
    }
}
