package dev.holdfast.bench.soak;

import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of a soak, as a table and as JSON.
 *
 * @param measured how long, after things had settled
 * @param turns of all activities
 * @param leftOut turns the server was too slow for
 * @param requests to the server
 * @param failures answers that may not be
 * @param firstFailure the first of them
 * @param events heard by listeners
 */
record SoakReport(
        String server,
        Duration measured,
        long turns,
        long leftOut,
        long requests,
        long failures,
        Optional<String> firstFailure,
        long events,
        List<GrowthRate> growths) {
    /** One unexpected answer in so many requests is a bad network; more is a bad server. */
    private static final long REQUESTS_PER_FAILURE = 1_000;

    /** Longest part of a failure that is told. */
    private static final int MOST_TEXT = 300;

    /** All reasons not to be content; none if all is well. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (GrowthRate growth : growths) {
            if (growth.verdict() == GrowthRate.Verdict.GROWS) {
                Gauge gauge = growth.gauge();
                problems.add(gauge.title() + " grows by " + gauge.unit().text(growth.perHour())
                        + " an hour, allowed are " + gauge.unit().text(gauge.allowedPerHour()));
            }
        }
        if (failures * REQUESTS_PER_FAILURE > requests) {
            problems.add(failures + " of " + requests + " requests failed; the first: "
                    + firstFailure.map(SoakReport::cut).orElse("unknown"));
        }
        if (events == 0 && turns > 0) {
            problems.add("no event was heard");
        }
        return problems;
    }

    private static String cut(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "…";
    }

    // ---- for people

    String table() {
        StringBuilder out = new StringBuilder();
        line(out, "", "at first", "at the end", "an hour", "in a month", "allowed/h", "");
        for (GrowthRate growth : growths) {
            Gauge gauge = growth.gauge();
            Gauge.Unit unit = gauge.unit();
            boolean seen = growth.verdict() != GrowthRate.Verdict.NOT_SEEN;
            boolean told = seen && growth.verdict() != GrowthRate.Verdict.TOO_SHORT; // a month of seconds is nonsense
            line(
                    out,
                    gauge.title(),
                    seen ? unit.text(growth.from()) : "-",
                    seen ? unit.text(growth.to()) : "-",
                    told ? sign(growth.perHour()) + unit.text(growth.perHour()) : "-",
                    told ? unit.text(growth.inAMonth()) : "-",
                    unit.text(gauge.allowedPerHour()),
                    growth.verdict().text());
        }
        out.append(String.format(
                Locale.ROOT,
                "%n%,d turns (%,d left out), %,d requests (%,d failed), %,d events heard; growth measured over the last %s%n",
                turns,
                leftOut,
                requests,
                failures,
                events,
                minutes(measured)));
        List<String> problems = problems();
        problems.forEach(problem -> out.append("Problem: ").append(problem).append(System.lineSeparator()));
        if (problems.isEmpty()) {
            boolean judged = growths.stream().anyMatch(growth -> growth.verdict() == GrowthRate.Verdict.STEADY);
            out.append(judged ? "Nothing grows beyond its bound." : "Nothing failed; too short to tell what grows.")
                    .append(System.lineSeparator());
        }
        return out.toString();
    }

    private static String minutes(Duration duration) {
        return String.format(Locale.ROOT, "%.1f min", duration.toMillis() / 60_000.0);
    }

    private static String sign(double value) {
        return value > 0 ? "+" : "";
    }

    private static void line(StringBuilder out, String... cells) {
        out.append(String.format(Locale.ROOT, "%-29s %11s %11s %12s %12s %11s  %s%n", (Object[]) cells));
    }

    // ---- for programs

    /** Whole numbers: bytes, counts, microseconds. */
    String json() {
        return Json.build()
                .with("server", server)
                .with("measured_ms", measured.toMillis())
                .with("turns", turns)
                .with("left_out", leftOut)
                .with("requests", requests)
                .with("failures", failures)
                .with("first_failure", firstFailure)
                .with("events", events)
                .with("growth", Json.array(growths, SoakReport::json))
                .with("problems", Json.array(problems(), Json::of))
                .with("ok", problems().isEmpty())
                .build()
                .compact();
    }

    private static Json json(GrowthRate growth) {
        return Json.build()
                .with("what", growth.gauge().label())
                .with("unit", growth.gauge().unit().label())
                .with("first", Math.round(growth.from()))
                .with("last", Math.round(growth.to()))
                .with("per_hour", Math.round(growth.perHour()))
                .with("in_a_month", Math.round(growth.inAMonth()))
                .with("allowed_per_hour", Math.round(growth.gauge().allowedPerHour()))
                .with("verdict", growth.verdict().name().toLowerCase(Locale.ROOT))
                .build();
    }
}
