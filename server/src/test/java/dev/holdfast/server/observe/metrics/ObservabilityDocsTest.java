package dev.holdfast.server.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ObservabilityDocsTest {
    private static final Path DOCS = Path.of("../docs/OBSERVABILITY.md");
    private static final Path CONFIGURATION = Path.of("../docs/CONFIGURATION.md");
    private static final Path ALERTS = Path.of("../examples/deploy/alerts");
    private static final Path CLOUD_ALARMS = Path.of("../deploy/terraform/aws/alarms.tf");

    private final Meters meters = new Meters(
            new MetersConfig("memory", false, true, "1.2.3", Duration.ZERO),
            new GaugeSources(
                    () -> CompletableFuture.completedFuture(new Counts(0, 0, 0, true)),
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> Double.NaN,
                    () -> Double.NaN));

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    @DisplayName("every metric of ours is in the documentation, under all its names, and no other is")
    void documented() throws IOException {
        String text = Files.readString(DOCS);
        Set<String> shown = families();
        assertThat(shown)
                .hasSizeGreaterThan(50)
                .allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
        Set<String> told = new TreeSet<>();
        Matcher named = Pattern.compile("(?m)^\\| `(holdfast_[a-z_]+)` \\|(?: `([a-z_]+)`)?")
                .matcher(text);
        while (named.find()) {
            if (!named.group(1).startsWith("holdfast_client_")) {
                told.add(named.group(1));
            }
            if (named.group(2) != null && !named.group(1).startsWith("holdfast_client_")) {
                told.add(named.group(2));
            }
        }
        assertThat(shown).containsAll(told);
    }

    @Test
    @DisplayName("the setting for earlier names says exactly which there are")
    void earlierNames() throws IOException {
        String row = Files.readString(CONFIGURATION)
                .lines()
                .filter(line -> line.startsWith("| `metrics.legacy-names` "))
                .findFirst()
                .orElseThrow();
        assertThat(Pattern.compile("`([a-z]+_[a-z_]+[a-z])`").matcher(row).results())
                .extracting(found -> found.group(1))
                .containsExactlyInAnyOrderElementsOf(LegacyNames.OPTIONAL);
    }

    /** As Prometheus knows them; the greatest values belong to what they are the greatest of. */
    private Set<String> families() {
        Set<String> names = new TreeSet<>();
        Matcher type = Pattern.compile("(?m)^# TYPE (\\S+) ")
                .matcher(meters.scrape().toCompletableFuture().join());
        while (type.find()) {
            names.add(type.group(1).replaceFirst("_max$", ""));
        }
        names.removeIf(name -> name.matches("(jvm|process|system)_.*"));
        return names;
    }

    @Test
    @DisplayName("the alerts use metrics that exist, among them the two of the deployer")
    void alertsMatch() throws IOException {
        String rules = Files.readString(ALERTS.resolve("prometheus-rules.yaml"));
        Matcher used = Pattern.compile("\\bholdfast_[a-z_]+\\b").matcher(rules);
        Set<String> metrics = new TreeSet<>();
        while (used.find()) {
            metrics.add(used.group());
        }

        assertThat(metrics)
                .contains(
                        "holdfast_deployer_lock_stale_detected_total",
                        "holdfast_deployer_lock_acquisition_failure_total");
        String scrape = meters.scrape().toCompletableFuture().join();
        assertThat(metrics).allSatisfy(metric -> assertThat(scrape).containsPattern("(?m)^" + metric + "[ {]"));
        String cloud = Files.readString(CLOUD_ALARMS);
        Matcher named = Pattern.compile("metric_name\\s+= \"([a-z.]+)\"").matcher(cloud);
        Set<String> cloudMetrics = new TreeSet<>();
        while (named.find()) {
            cloudMetrics.add(named.group(1));
        }
        assertThat(cloudMetrics)
                .allSatisfy(name -> assertThat(LegacyNames.PROMISED).contains(name.replace('.', '_') + "_total"));
        assertThat(cloudMetrics).hasSize(2);
    }
}
