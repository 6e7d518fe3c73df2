package dev.holdfast.bench.peers;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.report.Charts;
import dev.holdfast.bench.peers.report.Goals;
import dev.holdfast.bench.peers.report.JsonReport;
import dev.holdfast.bench.peers.report.Part;
import dev.holdfast.bench.peers.report.Tables;
import dev.holdfast.cli.admin.TemporaryFiles;
import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What both commands take: how long, how often, and where results go; and the frame in which they measure. */
final class PeersOptions {
    private static final int MOST_REPEATS = 20;
    private static final int MOST_MINUTES = 24 * 60;

    @Option(
            names = "--quick",
            description =
                    "Everything once and briefly, in under five minutes. Shows that it works; the numbers mean little.")
    private boolean quick;

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "How often each measurement is made (default 3; 1 with --quick).")
    private Optional<Integer> repeats = Optional.empty();

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "After this time nothing more is begun (default 44; 4 with --quick).")
    private Optional<Integer> minutes = Optional.empty();

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as JSON.")
    private Optional<Path> json = Optional.empty();

    @Option(names = "--charts", paramLabel = "DIR", description = "Write charts into this directory as SVG.")
    private Optional<Path> charts = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "ID",
            description = "Only these, such as raw,holdfast,shedlock (default all: ${COMPLETION-CANDIDATES}).",
            completionCandidates = Ids.class)
    private List<String> contenders = List.of();

    /** For help. */
    static final class Ids implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(ComparedLibrary.values())
                    .map(ComparedLibrary::id)
                    .iterator();
        }
    }

    /** Runs all rounds and shows what came of them. Missed goals are shown, and are no failure of the command. */
    int run(List<Part> parts, Comparison.PartRun once) throws IOException, InterruptedException {
        if (repeats.filter(count -> count < 1 || count > MOST_REPEATS).isPresent()) {
            return mistake("--repeats must be between 1 and " + MOST_REPEATS + ", was " + repeats.get());
        }
        if (minutes.filter(count -> count < 1 || count > MOST_MINUTES).isPresent()) {
            return mistake("--minutes must be between 1 and " + MOST_MINUTES + ", was " + minutes.get());
        }
        Set<ComparedLibrary> chosen = EnumSet.noneOf(ComparedLibrary.class);
        try {
            contenders.forEach(id -> chosen.add(ComparedLibrary.of(id)));
        } catch (IllegalArgumentException e) {
            return mistake(
                    "--contenders takes " + String.join(",", new Ids()) + ", was " + String.join(",", contenders));
        }
        if (chosen.isEmpty()) {
            chosen.addAll(EnumSet.allOf(ComparedLibrary.class));
        }
        MeasurementPlan plan = plan();
        Tables tables = new Tables(spec.commandLine().getOut());
        Map<String, String> about = about(plan);
        tables.line(about.toString());
        Path directory = Files.createTempDirectory("holdfast-peers");
        try (Comparison comparison = new Comparison(plan, chosen, new Servers(directory), tables)) {
            for (int i = 1; i <= plan.repeats(); i++) {
                comparison.round(i, parts, once);
            }
            show(comparison, parts, tables, about);
        } finally {
            TemporaryFiles.delete(directory);
        }
        return ExitCodes.OK;
    }

    int mistake(String text) {
        spec.commandLine().getErr().println(text);
        return ExitCodes.USAGE;
    }

    private MeasurementPlan plan() {
        MeasurementPlan plan = quick ? MeasurementPlan.QUICK : MeasurementPlan.FULL;
        return plan.with(
                repeats.orElse(plan.repeats()), minutes.map(Duration::ofMinutes).orElse(plan.limit()));
    }

    private Map<String, String> about(MeasurementPlan plan) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("started", Instant.now().toString());
        about.put("java", System.getProperty("java.version"));
        about.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        about.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        about.put("repeats", Integer.toString(plan.repeats()));
        about.put("quick", Boolean.toString(quick));
        return about;
    }

    private void show(Comparison comparison, List<Part> parts, Tables tables, Map<String, String> about)
            throws IOException {
        List<Goals.Verdict> verdicts = Goals.of(comparison.results(), parts);
        tables.medians(comparison.results(), parts);
        tables.goals(verdicts);
        tables.skipped(comparison.results().skipped());
        if (quick) {
            tables.line("  measured briefly and once: run without --quick before believing any of it");
        }
        if (json.isPresent()) {
            Files.writeString(
                    json.get(), new JsonReport(comparison.results(), verdicts).text(about), StandardCharsets.UTF_8);
            tables.line("  written: " + json.get());
        }
        if (charts.isPresent()) {
            List<Path> files = new Charts(comparison.results()).write(charts.get());
            tables.line("  written: " + files.size() + " charts in " + charts.get());
        }
    }
}
