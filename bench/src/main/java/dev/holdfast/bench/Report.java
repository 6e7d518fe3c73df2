package dev.holdfast.bench;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints what was measured, as numbers and as ratios with the goal beside them. */
record Report(PrintWriter out) {
    void line(String what, double value, String unit) {
        out.printf("%-46s %,14.2f  %s%n", what, value, unit);
        out.flush();
    }

    void ratio(String what, double value, String goal) {
        out.printf("  ratio  %-37s %,14.2f  (goal %s)%n", what, value, goal);
        out.flush();
    }

    void note(String text) {
        out.println(text);
        out.flush();
    }

    static String micros(Duration duration) {
        return String.format("%,.0f us", duration.toNanos() / 1e3);
    }
}
