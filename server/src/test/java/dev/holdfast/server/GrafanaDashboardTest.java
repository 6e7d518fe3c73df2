package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What deploy/grafana asks Prometheus for, compared with what a server shows. */
@DisplayName("The dashboard for Grafana")
class GrafanaDashboardTest {
    private static final Path DASHBOARD = Path.of("../deploy/grafana/holdfast.json");
    private static final Pattern SELECTED =
            Pattern.compile("\\b((?:holdfast|jvm|process|system)_[a-z_]+|up)\\{([^}]*)}");
    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern LABEL = Pattern.compile("([a-z_A-Z]+)(?:=~|!=|=)\"");
    /** What Prometheus itself adds. */
    private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

    private static final int COLUMNS = 24;

    @TempDir
    private Path directory;

    private final Json dashboard = read();

    private static Json read() {
        try {
            return Json.of(Files.readString(DASHBOARD));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<Json> panels() {
        return dashboard.get("panels").list();
    }

    private List<String> expressions() {
        List<String> all = new ArrayList<>();
        for (Json panel : panels()) {
            if (panel.has("targets")) {
                panel.get("targets")
                        .list()
                        .forEach(target -> all.add(target.get("expr").text()));
            }
        }
        dashboard.get("templating").get("list").list().stream()
                .filter(variable -> variable.has("definition"))
                .forEach(variable -> all.add(variable.get("definition").text()));
        return all;
    }

    /** The labels of every metric that a server shows. */
    private Map<String, Set<String>> shown() {
        String scrape;
        try (TestServer server = TestServer.start(TestServer.OPEN.on(0, "sqlite:" + directory.resolve("locks.db")))) {
            Await.until(
                    "the process is shown",
                    () -> server.get("/metrics").body().contains("\njvm_gc_live_data_size_bytes "));
            scrape = server.get("/metrics").body();
        }
        Map<String, Set<String>> shown = new HashMap<>();
        Pattern.compile("(?m)^([a-z_]+)(\\{.*})? ").matcher(scrape).results().forEach(line -> {
            Set<String> labels = shown.computeIfAbsent(line.group(1), name -> new TreeSet<>(OF_THE_SCRAPE));
            if (line.group(2) != null) {
                LABEL.matcher(line.group(2)).results().forEach(label -> labels.add(label.group(1)));
            }
        });
        shown.put("up", OF_THE_SCRAPE);
        return shown;
    }

    @Test
    @DisplayName("asks for metrics that a server has, by labels that they have")
    void metrics() {
        Map<String, Set<String>> shown = shown();
        assertThat(expressions()).hasSizeGreaterThan(40).allSatisfy(expression -> {
            Set<String> labels = new TreeSet<>();
            Pattern.compile("\\b((?:holdfast|jvm|process|system)_[a-z_]+)\\b")
                    .matcher(expression)
                    .results()
                    .forEach(metric -> assertThat(shown).as(expression).containsKey(metric.group(1)));
            SELECTED.matcher(expression).results().forEach(metric -> {
                labels.addAll(shown.get(metric.group(1)));
                LABEL.matcher(metric.group(2))
                        .results()
                        .forEach(label -> assertThat(shown.get(metric.group(1)))
                                .as(expression)
                                .contains(label.group(1)));
            });
            GROUPED.matcher(expression)
                    .results()
                    .forEach(group -> assertThat(labels)
                            .as(expression)
                            .containsAll(List.of(group.group(1).split(", ", -1))));
        });
    }

    @Test
    @DisplayName("shows what is counted at the store as the greatest of all replicas, not as their sum")
    void counts() {
        assertThat(expressions())
                .filteredOn(expression -> expression.matches(".*holdfast_lock_(active|waiters|stale)\\b.*"))
                .hasSizeGreaterThan(3)
                .allSatisfy(expression -> assertThat(expression).startsWith("max("));
    }

    @Test
    @DisplayName("has panels with different numbers that lie beside each other, each with a title and a unit")
    void panelsFit() {
        Set<Long> ids = new TreeSet<>();
        Set<String> cells = new TreeSet<>();
        for (Json panel : panels()) {
            assertThat(ids.add(panel.get("id").number())).isTrue();
            assertThat(panel.get("title").text()).isNotBlank();
            if (!panel.get("type").text().equals("row")) {
                assertThat(panel.get("fieldConfig").get("defaults").get("unit").text())
                        .isNotBlank();
                assertThat(panel.get("targets").list()).isNotEmpty();
            }
            Json place = panel.get("gridPos");
            assertThat(place.get("x").number() + place.get("w").number()).isLessThanOrEqualTo(COLUMNS);
            for (long x = 0; x < place.get("w").number(); x++) {
                for (long y = 0; y < place.get("h").number(); y++) {
                    assertThat(cells.add((place.get("x").number() + x) + " "
                                    + (place.get("y").number() + y)))
                            .as(panel.get("title").text())
                            .isTrue();
                }
            }
        }
    }

    @Test
    @DisplayName("asks each time for the data source, the job and the servers that were chosen")
    void chosen() {
        assertThat(dashboard.get("templating").get("list").list())
                .extracting(variable -> variable.get("name").text())
                .containsExactly("datasource", "job", "instance");
        for (Json panel : panels()) {
            if (panel.has("targets")) {
                panel.get("targets").list().forEach(target -> {
                    assertThat(target.get("datasource").get("uid").text()).isEqualTo("${datasource}");
                    assertThat(target.get("expr").text()).contains("job=\"$job\"");
                });
            }
        }
    }

    @Test
    @DisplayName("asks questions that Prometheus can read")
    void valid() throws Exception {
        Optional<String> tool = Stream.of(System.getenv("PATH").split(":", -1))
                .map(part -> Path.of(part, "promtool"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeTrue(tool.isPresent(), "needs promtool, of Prometheus");
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        List<String> questions = expressions().stream()
                .filter(expression -> !expression.startsWith("label_values("))
                .toList();
        for (int number = 0; number < questions.size(); number++) {
            rules.append("  - record: question_" + number + "\n    expr: '"
                    + questions.get(number).replace("$__rate_interval", "1m") + "'\n");
        }
        Path file = Files.writeString(directory.resolve("rules.yaml"), rules);
        Process process = new ProcessBuilder(tool.get(), "check", "rules", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
