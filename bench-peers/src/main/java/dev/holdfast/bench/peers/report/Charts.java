package dev.holdfast.bench.peers.report;

import dev.holdfast.bench.peers.worker.Figures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The charts of all that was measured, one file each. */
public record Charts(Results results) {
    /** Writes those for which there is something to show: their files. */
    public List<Path> write(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> files = new ArrayList<>();
        for (Part part : Part.values()) {
            if (part == Part.UNCONTENDED) {
                add(files, directory, "uncontended-warm", part, Figures.RATE, "cycles/s, warm", is("warm"));
                add(
                        files,
                        directory,
                        "uncontended-cold",
                        part,
                        Figures.RATE,
                        "cycles/s, first seconds of a JVM",
                        is("cold"));
                add(
                        files,
                        directory,
                        "uncontended-client",
                        part,
                        Figures.CLIENT,
                        "µs of processor time of the client per cycle, warm",
                        is("warm"));
                add(
                        files,
                        directory,
                        "uncontended-server",
                        part,
                        Figures.SERVER,
                        "µs of processor time of the server per cycle, warm",
                        is("warm"));
            } else if (part == Part.CONTENDED) {
                add(
                        files,
                        directory,
                        "contended",
                        part,
                        Figures.RATE,
                        part.unit(),
                        setting -> !setting.equals(Goals.PING_PONG));
                add(files, directory, "hand-over", part, Figures.P50, "µs, p50 of a hand-over", is(Goals.PING_PONG));
            } else if (part == Part.PROCESS) {
                add(
                        files,
                        directory,
                        "first-lock",
                        part,
                        "start_ms",
                        "ms from the start of a JVM to its first lock",
                        setting -> true);
                add(
                        files,
                        directory,
                        "heap",
                        part,
                        "heap_per_lock_bytes",
                        "bytes of heap per held lock",
                        setting -> true);
            } else {
                add(files, directory, part.id(), part, Figures.RATE, part.unit(), setting -> true);
            }
        }
        return files;
    }

    /** Requests, saves and locks per second, or records and waiters, are not to be compared with each other. */
    private static BarChart.Scale scale(Part part) {
        return part == Part.SERVICES || part == Part.GROWTH ? BarChart.Scale.OF_EACH_GROUP : BarChart.Scale.ONE;
    }

    private static Predicate<String> is(String beginning) {
        return setting -> setting.startsWith(beginning);
    }

    private void add(
            List<Path> files,
            Path directory,
            String name,
            Part part,
            String figure,
            String unit,
            Predicate<String> settings)
            throws IOException {
        List<BarChart.Group> groups = results.settings(part).stream()
                .filter(settings)
                .map(setting -> new BarChart.Group(setting, bars(part, setting, figure)))
                .filter(group -> !group.bars().isEmpty())
                .toList();
        if (!groups.isEmpty()) {
            Path file = directory.resolve(name + ".svg");
            Files.writeString(
                    file, new BarChart(part.title(), unit, scale(part), groups).svg(), StandardCharsets.UTF_8);
            files.add(file);
        }
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
