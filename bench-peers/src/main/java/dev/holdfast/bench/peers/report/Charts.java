package dev.holdfast.bench.peers.report;

import dev.holdfast.bench.peers.worker.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The charts of all that was measured, one file each. */
public record Charts(Results results) {
    /** One chart: the name of its file, the figure its bars show, in which unit, and of which settings. */
    private record Chart(String name, String figure, String unit, Predicate<String> settings) {}

    private static List<Chart> of(Part part) {
        return switch (part) {
            case UNCONTENDED ->
                List.of(
                        new Chart("uncontended-warm", Figures.RATE, "cycles/s, warm", with("warm")),
                        new Chart("uncontended-cold", Figures.RATE, "cycles/s, first seconds of a JVM", with("cold")),
                        new Chart("uncontended-client", Figures.CLIENT, processorTime("client"), with("warm")),
                        new Chart("uncontended-server", Figures.SERVER, processorTime("server"), with("warm")));
            case CONTENDED ->
                List.of(
                        new Chart(
                                "contended",
                                Figures.RATE,
                                part.unit(),
                                with(Goals.PING_PONG).negate()),
                        new Chart("hand-over", Figures.P50, "µs, p50 of a hand-over", with(Goals.PING_PONG)));
            case PROCESS ->
                List.of(
                        new Chart("first-lock", "start_ms", "ms from the start of a JVM to its first lock", with("")),
                        new Chart("heap", "heap_per_lock_bytes", "bytes of heap per held lock", with("")));
            default -> List.of(new Chart(part.id(), Figures.RATE, part.unit(), with("")));
        };
    }

    private static Predicate<String> with(String beginning) {
        return setting -> setting.startsWith(beginning);
    }

    private static String processorTime(String whose) {
        return "µs of processor time of the " + whose + " per cycle, warm";
    }

    /** Writes those for which there is something to show: their files. */
    public List<Path> write(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> files = new ArrayList<>();
        for (Part part : Part.values()) {
            for (Chart chart : of(part)) {
                List<BarChart.Group> groups = results.settings(part).stream()
                        .filter(chart.settings())
                        .map(setting -> new BarChart.Group(setting, bars(part, setting, chart.figure())))
                        .filter(group -> !group.bars().isEmpty())
                        .toList();
                if (!groups.isEmpty()) {
                    BarChart drawn = new BarChart(part.title(), chart.unit(), scale(part), groups);
                    files.add(Files.writeString(directory.resolve(chart.name() + ".svg"), drawn.svg()));
                }
            }
        }
        return files;
    }

    /** Requests, saves and locks per second, or records and waiters, are not to be compared with each other. */
    private static BarChart.Scale scale(Part part) {
        return part == Part.SERVICES || part == Part.GROWTH ? BarChart.Scale.OF_EACH_GROUP : BarChart.Scale.ONE;
    }

    private List<BarChart.Bar> bars(Part part, String setting, String figure) {
        List<BarChart.Bar> bars = new ArrayList<>();
        for (Results.Row row : results.rows(part)) {
            Optional<Spread> value = row.setting().equals(setting) ? results.spread(row, figure) : Optional.empty();
            value.ifPresent(spread -> bars.add(new BarChart.Bar(row.who(), spread, row.ours())));
        }
        return bars;
    }
}
