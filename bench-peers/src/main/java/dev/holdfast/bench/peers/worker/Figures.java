package dev.holdfast.bench.peers.worker;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was measured together, as named numbers in the order in which they are shown, and how they go from a worker to who started it. */
public record Figures(String label, Map<String, Double> values) {
    /** Operations per second: cycles, hand-overs, renewals, whatever the part counts. */
    public static final String RATE = "rate";

    public static final String P50 = "p50_us";
    public static final String P99 = "p99_us";

    /** Processor time of the client's JVM for one operation. */
    public static final String CLIENT = "client_cpu_us";

    /** Processor time of the server's processes for one operation. */
    public static final String SERVER = "server_cpu_us";

    static final String LINE = "result ";

    public Figures {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** With one number. */
    public static Figures of(String label, String name, double value) {
        return new Figures(label, Map.of(name, value));
    }

    /** One of them; not a number if it is not there. */
    public double value(String name) {
        return values.getOrDefault(name, Double.NaN);
    }

    public Figures with(String name, double value) {
        Map<String, Double> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new Figures(label, more);
    }

    void print() {
        StringBuilder line = new StringBuilder(LINE).append(label);
        values.forEach(
                (name, value) -> line.append('\t').append(name).append('=').append(value));
        System.out.println(line);
    }

    /** What a worker printed, without the first word. */
    public static Figures parse(String line) {
        String[] parts = line.split("\t", -1);
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            values.put(parts[i].substring(0, equals), Double.parseDouble(parts[i].substring(equals + 1)));
        }
        return new Figures(parts[0], values);
    }
}
