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
    private static final Path ALERTS = Path.of("../examples/deploy/alerts");
    private static final Path CLOUD_ALARMS = Path.of("../deploy/terraform/aws/alarms.tf");

    private final Meters meters = new Meters(
            new MetersConfig("memory", false, Duration.ZERO),
            new Vitals(
                    () -> CompletableFuture.completedFuture(new Counts(0, 0, 0, true)),
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0,
                    () -> 0));

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    @DisplayName("every metric of ours is in the documentation")
    void documented() throws IOException {
        String text = Files.readString(DOCS);
        Set<String> missing = new TreeSet<>();
        for (String name : names()) {
            boolean known = text.contains("`" + name + "`")
                    || (name.startsWith("deployer.lock.") && text.contains("`." + name.substring(14) + "`"));
            if (!known && !name.matches("(jvm|process|system)\\..*")) {
                missing.add(name);
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("the alerts use metrics that exist, among them the two of the deployer")
    void alertsMatch() throws IOException {
        String rules = Files.readString(ALERTS.resolve("prometheus-rules.yaml"));
        Matcher used = Pattern.compile("\\b(?:deployer_lock|lock|store|audit)_[a-z_]+\\b")
                .matcher(rules);
        Set<String> metrics = new TreeSet<>();
        while (used.find()) {
            metrics.add(used.group());
        }

        assertThat(metrics).contains("deployer_lock_stale_detected_total", "deployer_lock_acquisition_failure_total");
        String scrape = meters.scrape().toCompletableFuture().join();
        assertThat(metrics).allSatisfy(metric -> assertThat(scrape).containsPattern("(?m)^" + metric + "[ {]"));
        String cloud = Files.readString(CLOUD_ALARMS);
        Matcher named = Pattern.compile("metric_name\\s+= \"([a-z.]+)\"").matcher(cloud);
        Set<String> cloudMetrics = new TreeSet<>();
        while (named.find()) {
            cloudMetrics.add(named.group(1));
        }
        assertThat(names()).containsAll(cloudMetrics);
        assertThat(cloudMetrics).hasSize(2);
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        meters.registry().forEachMeter(meter -> names.add(meter.getId().getName()));
        return names;
    }
}
