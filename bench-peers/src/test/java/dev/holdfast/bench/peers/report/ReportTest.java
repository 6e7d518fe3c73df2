package dev.holdfast.bench.peers.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.worker.Figures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

@DisplayName("the report")
class ReportTest {
    private static final String WARM = Goals.callers("warm", 8);
    private static final List<Part> ALL = Arrays.asList(Part.values());

    private final Results results = new Results();

    @TempDir
    private Path directory;

    private void add(Part part, String setting, ComparedLibrary who, double... rates) {
        for (double rate : rates) {
            results.add(
                    new Results.Row(part, setting, who.label(), who.isOurs()),
                    Figures.of(setting, Figures.RATE, rate)
                            .with(Figures.CLIENT, 10)
                            .with(Figures.SERVER, Double.NaN));
        }
    }

    private Goals.Verdict verdict(String what) {
        return Goals.of(results, ALL).stream()
                .filter(one -> one.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("takes the middle of several runs, with the lowest and the highest")
    void medians() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(4, 1, 9, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, 9.0, 5.0))).isEqualTo(new Spread(4.5, 1, 9, 4));
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("compares medians of one setting, with the better of the bare loop's pools")
    void ratios() {
        add(Part.UNCONTENDED, WARM, ComparedLibrary.HOLDFAST, 900, 1_000, 5_000);
        add(Part.UNCONTENDED, WARM, ComparedLibrary.RAW, 500);
        add(Part.UNCONTENDED, WARM, ComparedLibrary.RAW_32, 2_000);
        Goals.Verdict missed = verdict("warm, 8 callers, history on / raw");
        assertThat(missed.measured()).contains(0.5);
        assertThat(missed.isMissed()).isTrue();
        assertThat(missed.word()).isEqualTo("missed");

        add(Part.UNCONTENDED, WARM, ComparedLibrary.SHEDLOCK, 500);
        assertThat(verdict("warm, 8 callers, history on / ShedLock").word()).isEqualTo("reached");
    }

    @Test
    @DisplayName("does not judge what was not measured")
    void unknown() {
        Goals.Verdict unknown = verdict("warm, 1 caller, history on / raw");
        assertThat(unknown.word()).isEqualTo("not measured");
        assertThat(unknown.isMissed()).isFalse();
        assertThat(Goals.ratio(Optional.of(1.0), Optional.of(0.0))).isEmpty();
    }

    @Test
    @DisplayName("counts processor time for each of the two operations of a cycle, and less is better")
    void perOperation() {
        add(Part.UNCONTENDED, Goals.callers("warm", 128), ComparedLibrary.HOLDFAST, 1);
        Goals.Verdict reached = verdict("warm, 128 callers, history on: JVM, µs per operation");
        assertThat(reached.measured()).contains(5.0);
        assertThat(reached.word()).isEqualTo("reached");
    }

    @Test
    @DisplayName("compares the most records with the fewest")
    void growth() {
        add(Part.GROWTH, Goals.RECORDS + 1_000, ComparedLibrary.HOLDFAST, 1_000);
        add(Part.GROWTH, Goals.RECORDS + 10_000, ComparedLibrary.HOLDFAST, 500);
        Goals.Verdict verdict = verdict("time per operation, most records / fewest");
        assertThat(verdict.measured()).contains(2.0);
        assertThat(verdict.isMissed()).isTrue();
    }

    @Test
    @DisplayName("prints what was lost and what was left out, too")
    void tables() {
        add(Part.UNCONTENDED, WARM, ComparedLibrary.HOLDFAST, 100, 200, 300);
        add(Part.UNCONTENDED, WARM, ComparedLibrary.RAW, 1_000);
        results.skip(new Results.Skipped(Part.CONTENDED, "Redisson", "REDIS did not start"));
        StringWriter text = new StringWriter();
        Tables tables = new Tables(new PrintWriter(text, true));
        tables.medians(results, ALL);
        tables.goals(Goals.of(results, ALL));
        tables.skipped(results.skipped());
        assertThat(text.toString())
                .contains("* Holdfast, history on", "100 to 300", "at least 1  missed", "0 of ", "left out: 1")
                .contains("B  Redisson: REDIS did not start");
    }

    @Test
    @DisplayName("is well-formed JSON with every run, and without numbers that are none")
    void json() throws IOException {
        add(Part.UNCONTENDED, WARM, ComparedLibrary.HOLDFAST, 1, 2, 3);
        results.skip(new Results.Skipped(Part.SERVICES, "\"odd\" <name>", "a\nreason"));
        String text = new JsonReport(results, Goals.of(results, ALL)).text(Map.of("java", "17"));
        List<String> names = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(text)) {
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    names.add(json.currentName());
                }
            }
        }
        assertThat(names).contains("rows", "goals", "skipped", "median", "runs", Figures.CLIENT);
        assertThat(names).doesNotContain(Figures.SERVER);
    }

    @Test
    @DisplayName("draws well-formed SVG with a bar for each, whatever they are called")
    void svg() throws Exception {
        add(Part.UNCONTENDED, WARM, ComparedLibrary.HOLDFAST, 100, 200);
        results.add(
                new Results.Row(Part.UNCONTENDED, WARM, "<script> & \"others\"", false),
                Figures.of(WARM, Figures.RATE, 50));
        List<Path> files = new Charts(results).write(directory.resolve("charts"));
        assertThat(files).extracting(file -> file.getFileName().toString()).contains("uncontended-warm.svg");
        for (Path file : files) {
            Document chart =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Files.newInputStream(file));
            assertThat(chart.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(chart.getElementsByTagName("script").getLength()).isZero();
        }
        Document warm = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(files.get(0).toFile());
        assertThat(warm.getElementsByTagName("rect").getLength()).isEqualTo(3); // the ground and two bars
        assertThat(warm.getElementsByTagName("line").getLength()).isEqualTo(1); // only one was run twice
    }

    @Test
    @DisplayName("understands what a worker prints")
    void figures() {
        Figures figures = Figures.parse("warm, 8 callers\trate=12.5\tserver_cpu_us=NaN");
        assertThat(figures.label()).isEqualTo("warm, 8 callers");
        assertThat(figures.values()).containsEntry(Figures.RATE, 12.5);
    }
}
