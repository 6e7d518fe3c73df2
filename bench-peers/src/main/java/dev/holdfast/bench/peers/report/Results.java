package dev.holdfast.bench.peers.report;

import dev.holdfast.bench.peers.worker.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All that was measured so far, and what was left out. Of one thread. */
public final class Results {
    /**
     * What was measured, in which setting, of whom.
     *
     * @param setting what is the same for all that are compared, such as {@code warm, 8 callers}
     * @param who the label of the contender
     * @param ours whether that is Holdfast
     */
    public record Row(Part part, String setting, String who, boolean ours) {}

    /** Something that was not measured, in which part, and why. */
    public record Skipped(Part part, String what, String reason) {}

    private final Map<Row, List<Figures>> rows = new LinkedHashMap<>();
    private final List<Skipped> skipped = new ArrayList<>();

    public void add(Row row, Figures figures) {
        rows.computeIfAbsent(row, key -> new ArrayList<>()).add(figures);
    }

    public void skip(Skipped what) {
        skipped.add(what);
    }

    public List<Skipped> skipped() {
        return List.copyOf(skipped);
    }

    /** The rows of a part, in the order in which they were first measured. */
    public List<Row> rows(Part part) {
        return rows.keySet().stream().filter(row -> row.part() == part).toList();
    }

    /** The settings of a part, in the same order. */
    public Set<String> settings(Part part) {
        Set<String> settings = new LinkedHashSet<>();
        rows(part).forEach(row -> settings.add(row.setting()));
        return settings;
    }

    /** The names of what was measured in this row. */
    public Set<String> names(Row row) {
        Set<String> names = new LinkedHashSet<>();
        rows.getOrDefault(row, List.of())
                .forEach(figures -> names.addAll(figures.values().keySet()));
        return names;
    }

    /** One number of all runs of a row, in order; runs that could not tell it are left out. */
    public List<Double> values(Row row, String name) {
        return rows.getOrDefault(row, List.of()).stream()
                .map(figures -> figures.values().getOrDefault(name, Double.NaN))
                .filter(Double::isFinite)
                .toList();
    }

    /** The same as median and spread. */
    public Optional<Spread> spread(Row row, String name) {
        List<Double> values = values(row, name);
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The median of what this one reached in this setting. */
    public Optional<Double> median(Part part, String setting, String who, String name) {
        return rows(part).stream()
                .filter(row -> row.setting().equals(setting) && row.who().equals(who))
                .findFirst()
                .flatMap(row -> spread(row, name))
                .map(Spread::median);
    }
}
