package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alerts, what they link to, and the metrics they and the runbook speak of. */
@DisplayName("the alerts and the runbook")
class AlertsTest {
    private static final Path ALERTS = Path.of("../examples/deploy/alerts");
    private static final Path DOCS = Path.of("../docs");
    private static final Path AWS = Path.of("../deploy/terraform/aws");
    private static final Pattern METRIC = Pattern.compile("\\b(?:holdfast|jvm|process|system)_[a-z_]*[a-z]\\b");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `((?:Holdfast|Deployer)\\w+)` \\| (\\w+) \\|");

    /** In any page: what ends like a metric, and not like a table. */
    private static final Pattern MEASURED =
            Pattern.compile("\\bholdfast_[a-z_]+_(?:total|seconds|bytes|seconds_count|seconds_bucket)\\b");

    @TempDir
    private Path directory;

    private record Rule(String name, String expression, Map<?, ?> labels, Map<?, ?> annotations) {}

    @Test
    @DisplayName("each alert has a severity, a summary and a place in the runbook that exists")
    void complete() throws IOException {
        Set<String> anchors = anchors("RUNBOOK.md");
        assertThat(rules()).hasSizeGreaterThan(15).allSatisfy(rule -> {
            assertThat(rule.labels().get("severity")).as(rule.name()).isIn("warning", "critical");
            assertThat(String.valueOf(rule.annotations().get("summary")))
                    .as(rule.name())
                    .hasSizeGreaterThan(10);
            String runbook = String.valueOf(rule.annotations().get("runbook_url"));
            assertThat(runbook).as(rule.name()).startsWith("docs/RUNBOOK.md#");
            assertThat(anchors).as(rule.name()).contains(runbook.substring(runbook.indexOf('#') + 1));
        });
    }

    @Test
    @DisplayName(
            "are listed with their severity, in the order of the file; and the runbook leads from each to its section")
    void listed() throws IOException {
        assertThat(ROW.matcher(text("OBSERVABILITY.md")).results().map(row -> row.group(1) + " " + row.group(2)))
                .containsExactlyElementsOf(rules().stream()
                        .map(rule -> rule.name() + " " + rule.labels().get("severity"))
                        .toList());
        List<String> symptoms = text("RUNBOOK.md")
                .lines()
                .filter(line -> line.startsWith("| ") && line.contains("](#"))
                .toList();
        for (Rule rule : rules()) {
            String runbook = String.valueOf(rule.annotations().get("runbook_url"));
            String anchor = runbook.substring(runbook.indexOf('#'));
            assertThat(symptoms)
                    .as(rule.name())
                    .anyMatch(line -> line.contains("`" + rule.name() + "`") && line.contains("](" + anchor + ")"));
        }
    }

    @Test
    @DisplayName("each section of the runbook says what it means, what clients see, what to do and when it is over")
    void sections() throws IOException {
        Map<String, String> sections = Stream.of(text("RUNBOOK.md").split("(?m)^## ", -1))
                .skip(1)
                .collect(Collectors.toMap(
                        section -> section.substring(0, section.indexOf('\n')), section -> section, (a, b) -> a));
        sections.remove("First look");
        assertThat(sections).hasSizeGreaterThan(11).allSatisfy((name, section) -> {
            assertThat(section).as(name).contains("**Means**", "**Clients see**", "**Over when**");
            assertThat(section).as(name).containsPattern("\\*\\*Do\\*\\*|\\*\\*Signs");
        });
    }

    @Test
    @DisplayName("speak of metrics that a server really has, and of settings it really knows")
    void metrics() throws IOException {
        String scrape;
        try (TestServer server = TestServer.start(TestServer.OPEN.on(0, "sqlite:" + directory.resolve("locks.db")))) {
            Await.until(
                    "the process is shown",
                    () -> server.get("/metrics").body().contains("\njvm_gc_live_data_size_bytes "));
            scrape = server.get("/metrics").body();
        }
        Set<String> shown = new HashSet<>();
        Pattern.compile("(?m)^([a-z_]+)[ {]").matcher(scrape).results().forEach(line -> shown.add(line.group(1)));
        Pattern.compile("(?m)^# TYPE (\\S+)").matcher(scrape).results().forEach(line -> shown.add(line.group(1)));
        Set<String> named = new TreeSet<>();
        rules().forEach(rule -> METRIC.matcher(rule.expression()).results().forEach(found -> named.add(found.group())));
        METRIC.matcher(text("RUNBOOK.md")).results().forEach(found -> named.add(found.group()));
        Pattern.compile("(?s)```promql\n(.*?)```")
                .matcher(text("OBSERVABILITY.md"))
                .results()
                .forEach(block -> METRIC.matcher(block.group(1)).results().forEach(found -> named.add(found.group())));
        for (Path page : pages()) {
            MEASURED.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group())
                    .filter(name -> !name.startsWith("holdfast_client_")) // of a user's own application
                    .forEach(named::add);
        }
        assertThat(named).hasSizeGreaterThan(40);
        assertThat(shown).containsAll(named);

        Set<String> settings =
                Settings.declared().stream().map(setting -> setting.name()).collect(Collectors.toSet());
        assertThat(Pattern.compile("`((?:server|locks|history|audit|state|guard)\\.[a-z][a-z.-]+[a-z])[`=]")
                        .matcher(text("RUNBOOK.md"))
                        .results()
                        .map(found -> found.group(1))
                        .toList())
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(settings).contains(name));
    }

    @Test
    @DisplayName("each alert is made to fire by the unit tests of the rules")
    void tried() throws IOException {
        Set<String> fired = new HashSet<>();
        Map<?, ?> tests = (Map<?, ?>) yaml(ALERTS.resolve("prometheus-rules-test.yaml"));
        for (Object test : (List<?>) tests.get("tests")) {
            for (Object one : (List<?>) ((Map<?, ?>) test).get("alert_rule_test")) {
                Map<?, ?> expected = (Map<?, ?>) one;
                if (!((List<?>) expected.get("exp_alerts")).isEmpty()) {
                    fired.add((String) expected.get("alertname"));
                }
            }
        }
        assertThat(fired)
                .containsExactlyInAnyOrderElementsOf(
                        rules().stream().map(Rule::name).toList());
    }

    @Test
    @DisplayName("are valid and fire as the unit tests of the rules say")
    void promtool() throws Exception {
        Optional<String> tool = Stream.of(System.getenv("PATH").split(":", -1))
                .map(part -> Path.of(part, "promtool"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeTrue(tool.isPresent(), "needs promtool, of Prometheus");
        for (List<String> words : List.of(
                List.of("check", "config", "prometheus.yaml"),
                List.of("check", "rules", "prometheus-rules.yaml"),
                List.of("test", "rules", "prometheus-rules-test.yaml"))) {
            List<String> command = new ArrayList<>(List.of(tool.get()));
            command.addAll(words);
            Process process = new ProcessBuilder(command)
                    .directory(ALERTS.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
        }
    }

    @Test
    @DisplayName("the alert on 'up' looks for the job of the scrape configuration, which loads the rules")
    void scraped() throws IOException {
        Map<?, ?> config = (Map<?, ?>) yaml(ALERTS.resolve("prometheus.yaml"));
        Object job = ((Map<?, ?>) ((List<?>) config.get("scrape_configs")).get(0)).get("job_name");
        assertThat(rules())
                .filteredOn(rule -> rule.name().equals("HoldfastDown"))
                .singleElement()
                .satisfies(rule -> assertThat(rule.expression()).contains("up{job=\"" + job + "\"}"));
        assertThat((List<?>) config.get("rule_files")).singleElement().isEqualTo("prometheus-rules.yaml");
    }

    @Test
    @DisplayName("the agent for CloudWatch brings exactly what the alarms watch, where they look for it")
    void cloud() throws IOException {
        String alarms = Files.readString(AWS.resolve("alarms.tf"));
        Set<String> watched = new TreeSet<>();
        Pattern.compile("metric_name\\s+= \"([a-z.]+)\"")
                .matcher(alarms)
                .results()
                .forEach(one -> watched.add(one.group(1)));
        Map<?, ?> agent = (Map<?, ?>) yaml(AWS.resolve("cloudwatch-agent.yaml"));
        Map<?, ?> transform = (Map<?, ?>) ((Map<?, ?>) agent.get("processors")).get("metricstransform");
        Set<String> brought = new TreeSet<>();
        for (Object one : (List<?>) transform.get("transforms")) {
            Map<?, ?> renamed = (Map<?, ?>) one;
            String to = (String) renamed.get("new_name");
            assertThat(renamed.get("include")).isEqualTo("holdfast_" + to.replace('.', '_') + "_total");
            brought.add(to);
        }
        assertThat(brought).isEqualTo(watched);
        Map<?, ?> sent = (Map<?, ?>) ((Map<?, ?>) agent.get("exporters")).get("awsemf");
        assertThat(Files.readString(AWS.resolve("variables.tf")))
                .containsPattern("(?s)\"metrics_namespace\" \\{[^}]*default\\s+= \"" + sent.get("namespace") + "\"");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> all = Files.walk(DOCS)) {
            return all.filter(file -> file.toString().endsWith(".md")).toList();
        }
    }

    private static List<Rule> rules() throws IOException {
        List<Rule> rules = new ArrayList<>();
        for (Object group : (List<?>) ((Map<?, ?>) yaml(ALERTS.resolve("prometheus-rules.yaml"))).get("groups")) {
            for (Object one : (List<?>) ((Map<?, ?>) group).get("rules")) {
                Map<?, ?> rule = (Map<?, ?>) one;
                rules.add(new Rule(
                        (String) rule.get("alert"), (String) rule.get("expr"), (Map<?, ?>) rule.get("labels"), (Map<
                                        ?, ?>)
                                rule.get("annotations")));
            }
        }
        return rules;
    }

    private static Object yaml(Path file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    private static String text(String page) throws IOException {
        return Files.readString(DOCS.resolve(page));
    }

    private static Set<String> anchors(String page) throws IOException {
        return Pattern.compile("(?m)^#+ (.+)$")
                .matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
