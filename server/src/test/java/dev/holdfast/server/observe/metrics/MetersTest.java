package dev.holdfast.server.observe.metrics;

import static dev.holdfast.server.observe.Events.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.machine.EngineMeter.Operation;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MetersTest {
    private static final LockKey JOB = LockKey.of("billing", "invoice-run");
    private static final LockKey STACK = LockKey.of("deploy", "stack:shop:env:prod");

    /** As the contract writes them. */
    private static final List<String> CONTRACT = List.of(
            "lock.acquire.duration",
            "lock.acquire.retries",
            "lock.wait.duration",
            "lock.held.duration",
            "lock.active",
            "lock.waiters",
            "lock.stale",
            "lock.renewals",
            "lock.lost",
            "lock.forced",
            "store.write.batch.size",
            "store.duration",
            "store.clock.error",
            "db.stop.skipped_shared_active",
            "db.stop.skipped_lock",
            "db.stop.stopped",
            "deployer.lock.acquisition.duration",
            "deployer.lock.acquisition.success",
            "deployer.lock.acquisition.failure",
            "deployer.lock.held.duration",
            "deployer.lock.heartbeat.success",
            "deployer.lock.heartbeat.failure",
            "deployer.lock.stale.detected");

    private final AtomicReference<Counts> counts = new AtomicReference<>(new Counts(0, 0, 0, true));
    private final AtomicInteger counted = new AtomicInteger();
    private final GaugeSources vitals = new GaugeSources(
            () -> {
                counted.incrementAndGet();
                return CompletableFuture.completedFuture(counts.get());
            },
            () -> 7,
            () -> 0.004,
            () -> 3,
            () -> 5,
            () -> 0,
            () -> 1e9,
            () -> 1.8e9);
    private Meters meters = new Meters(new MetersConfig("sqlite", false, true, "1.2.3", Duration.ZERO), vitals);

    @AfterEach
    void close() {
        meters.close();
    }

    @Nested
    @DisplayName("At the start")
    class AtTheStart {
        @Test
        @DisplayName("every name of the contract is registered")
        void namesAreThere() {
            assertThat(CONTRACT)
                    .allSatisfy(name -> assertThat(
                                    meters.registry().find("holdfast." + name).meters())
                            .isNotEmpty());
        }

        @Test
        @DisplayName("every name of the contract is shown without the prefix as well, with the same values")
        void oldNames() {
            String text = scrape();
            List<String> old = new ArrayList<>(LegacyNames.PROMISED);
            old.addAll(LegacyNames.OPTIONAL);
            assertThat(old).hasSize(CONTRACT.size() - 1); // the one in milliseconds has a meter of its own
            for (String name : old) {
                assertThat(lines(text, name)).as(name).isNotEmpty().isEqualTo(lines(text, "holdfast_" + name));
                assertThat(text).containsPattern("(?m)^# HELP " + name + " The same as holdfast_");
                assertThat(text).containsPattern("(?m)^# TYPE " + name + " ");
            }
            assertThat(text).contains("deployer_lock_acquisition_duration_milliseconds_count{");
        }

        @Test
        @DisplayName("without legacy names only those of the source documents are left besides the new ones")
        void withoutLegacyNames() {
            meters.close();
            meters = new Meters(new MetersConfig("sqlite", false, false, "1.2.3", Duration.ZERO), vitals);
            String text = scrape();
            assertThat(LegacyNames.PROMISED)
                    .allSatisfy(name -> assertThat(lines(text, name)).as(name).isNotEmpty());
            assertThat(LegacyNames.OPTIONAL)
                    .allSatisfy(name -> assertThat(lines(text, name)).as(name).isEmpty());
        }

        @Test
        @DisplayName("every metric of ours begins with holdfast_ and has a help of its own; the build is told")
        void conventions() {
            meters.close();
            meters = new Meters(new MetersConfig("sqlite", false, false, "1.2.3", Duration.ZERO), vitals);
            Map<String, String> names = new TreeMap<>();
            Matcher help = Pattern.compile("(?m)^# HELP (\\S+) (.+)$").matcher(scrape());
            while (help.find()) {
                names.put(help.group(1), help.group(2));
            }
            names.keySet().removeIf(name -> name.matches("(jvm|process|system)_.*"));
            assertThat(names.keySet().stream().filter(name -> !name.startsWith("holdfast_")))
                    .allMatch(name -> name.startsWith("deployer_lock_acquisition_duration_milliseconds")
                            || LegacyNames.PROMISED.contains(name.replaceFirst("_max$", "")));
            assertThat(names.values()).doesNotHaveDuplicates();
            assertThat(names.keySet()).noneMatch(name -> name.startsWith("holdfast_") && name.contains("millis"));
            assertThat(scrape())
                    .contains("holdfast_build_info{java=\"" + System.getProperty("java.version")
                            + "\",version=\"1.2.3\"} 1\n")
                    .contains(
                            "# TYPE holdfast_lock_wait_duration_seconds histogram\n",
                            "# TYPE holdfast_lock_held_duration_seconds histogram\n",
                            "# TYPE holdfast_http_request_duration_seconds histogram\n");
        }

        /** Samples of a metric, without its name. */
        private List<String> lines(String text, String name) {
            return text.lines()
                    .filter(line -> line.matches(name + "(_count|_sum|_bucket|_max)?[ {].*"))
                    .map(line -> line.substring(name.length()))
                    .toList();
        }

        @Test
        @DisplayName("every name of the contract is shown, in Prometheus' spelling, with zero")
        void zerosAreShown() {
            assertThat(scrape())
                    .contains(
                            "holdfast_lock_acquire_duration_seconds_count{namespace=\"default\",outcome=\"granted\",store=\"sqlite\"} 0\n",
                            "holdfast_lock_acquire_retries_count 0\n",
                            "holdfast_lock_wait_duration_seconds_count 0\n",
                            "holdfast_lock_held_duration_seconds_count 0\n",
                            "holdfast_lock_active 0.0\n",
                            "holdfast_lock_waiters 0.0\n",
                            "holdfast_lock_stale 0.0\n",
                            "holdfast_lock_renewals_total{outcome=\"renewed\"} 0.0\n",
                            "holdfast_lock_renewals_total{outcome=\"lost\"} 0.0\n",
                            "holdfast_lock_renewals_total{outcome=\"unknown\"} 0.0\n",
                            "holdfast_lock_lost_total{reason=\"expired\"} 0.0\n",
                            "holdfast_lock_lost_total{reason=\"forced\"} 0.0\n",
                            "holdfast_lock_lost_total{reason=\"given_up\"} 0.0\n",
                            "holdfast_lock_forced_total 0.0\n",
                            "holdfast_store_write_batch_size_count 0\n",
                            "holdfast_store_duration_seconds_count{operation=\"write\"} 0\n",
                            "holdfast_store_clock_error_seconds 0.004\n",
                            "holdfast_store_events_lost_total 7.0\n",
                            "holdfast_db_stop_skipped_shared_active_total{db_identifier=\"none\"} 0.0\n",
                            "holdfast_db_stop_skipped_lock_total{db_identifier=\"none\"} 0.0\n",
                            "holdfast_db_stop_stopped_total{db_identifier=\"none\"} 0.0\n",
                            "holdfast_audit_lost_total 0.0\n",
                            "holdfast_events_clients 3.0\n",
                            "holdfast_server_connections 5.0\n",
                            "holdfast_http_request_duration_seconds_count{method=\"GET\",route=\"/health/live\",status=\"200\"} 0\n");
            String none = "{Environment=\"none\",LockLevel=\"stack\",Stack=\"none\"}";
            assertThat(scrape())
                    .contains(
                            "deployer_lock_acquisition_duration_milliseconds_count" + none + " 0\n",
                            "holdfast_deployer_lock_acquisition_success_total" + none + " 0.0\n",
                            "holdfast_deployer_lock_acquisition_failure_total" + none + " 0.0\n",
                            "holdfast_deployer_lock_held_duration_seconds_count" + none + " 0\n",
                            "holdfast_deployer_lock_heartbeat_success_total" + none + " 0.0\n",
                            "holdfast_deployer_lock_heartbeat_failure_total" + none + " 0.0\n",
                            "holdfast_deployer_lock_stale_detected_total" + none + " 0.0\n");
        }

        @Test
        @DisplayName("the process is measured too")
        void processIsMeasured() {
            assertThat(scrape()).contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage");
        }
    }

    @Nested
    @DisplayName("What the edge tells")
    class Edge {
        @Test
        @DisplayName("an acquire is timed by namespace and outcome, and the lock's name is no label")
        void acquireIsTimed() {
            meters.acquired(JOB, AcquireOutcome.GRANTED, Duration.ofMillis(20));
            meters.acquired(JOB, AcquireOutcome.BUSY, Duration.ofMillis(3));

            assertThat(scrape())
                    .contains(
                            "holdfast_lock_acquire_duration_seconds_count{namespace=\"billing\",outcome=\"granted\",store=\"sqlite\"} 1\n",
                            "holdfast_lock_acquire_duration_seconds_sum{namespace=\"billing\",outcome=\"granted\",store=\"sqlite\"} 0.02\n",
                            "holdfast_lock_acquire_duration_seconds_count{namespace=\"billing\",outcome=\"busy\",store=\"sqlite\"} 1\n")
                    .doesNotContain("invoice-run");
        }

        @Test
        @DisplayName("with the lock's name as a label, acquires and holds are kept per lock")
        void nameCanBeALabel() {
            meters.close();
            meters = new Meters(new MetersConfig("sqlite", true, true, "1.2.3", Duration.ZERO), vitals);

            meters.acquired(JOB, AcquireOutcome.GRANTED, Duration.ofMillis(20));
            meters.happened(List.of(event(EventType.RELEASED, JOB, Duration.ofSeconds(2))));

            assertThat(scrape())
                    .contains(
                            "holdfast_lock_acquire_duration_seconds_count{name=\"invoice-run\",namespace=\"billing\",outcome=\"granted\",store=\"sqlite\"} 1\n",
                            "holdfast_lock_held_duration_seconds_sum{name=\"invoice-run\",namespace=\"billing\"} 2.0\n");
        }

        @Test
        @DisplayName("renewals, releases, refusals and requests are counted")
        void othersAreCounted() {
            meters.renewed(JOB, RenewalOutcome.LOST);
            meters.released(ReleaseOutcome.NOT_HELD);
            meters.rejected(Rejection.RATE);
            meters.databaseStop("postgres:db1:5432", DatabaseStop.STOPPED);
            meters.request("/v1/{namespace}/lock/{name}", "GET", 200, Duration.ofMillis(1));
            meters.request("/v1/{namespace}/lock/{name}", "EVIL", 405, Duration.ofMillis(1));

            assertThat(scrape())
                    .contains(
                            "holdfast_lock_renewals_total{outcome=\"lost\"} 1.0\n",
                            "holdfast_lock_releases_total{outcome=\"not_held\"} 1.0\n",
                            "holdfast_server_rejected_total{reason=\"rate\"} 1.0\n",
                            "holdfast_db_stop_stopped_total{db_identifier=\"postgres:db1:5432\"} 1.0\n",
                            "holdfast_http_request_duration_seconds_count{method=\"GET\",route=\"/v1/{namespace}/lock/{name}\",status=\"200\"} 1\n",
                            "holdfast_http_request_duration_seconds_count{method=\"other\",route=\"/v1/{namespace}/lock/{name}\",status=\"405\"} 1\n");
        }
    }

    @Nested
    @DisplayName("What the engine tells")
    class Engine {
        @Test
        @DisplayName("ends are timed, and counted by what ended them")
        void endsAreCounted() {
            Duration held = Duration.ofSeconds(10);
            meters.happened(List.of(
                    event(EventType.RELEASED, JOB, held),
                    event(EventType.EXPIRED, JOB, held),
                    event(EventType.LOST, JOB, held),
                    event(EventType.FORCED, JOB, held)));

            assertThat(scrape())
                    .contains(
                            "holdfast_lock_held_duration_seconds_count 4\n",
                            "holdfast_lock_held_duration_seconds_sum 40.0\n",
                            "holdfast_lock_lost_total{reason=\"expired\"} 1.0\n",
                            "holdfast_lock_lost_total{reason=\"given_up\"} 1.0\n",
                            "holdfast_lock_lost_total{reason=\"forced\"} 1.0\n",
                            "holdfast_lock_forced_total 1.0\n");
        }

        @Test
        @DisplayName("only those who waited count as waiting")
        void waitsAreTimed() {
            meters.happened(List.of(
                    event(EventType.ACQUIRED, JOB, Duration.ZERO),
                    event(EventType.ACQUIRED, JOB, Duration.ofSeconds(3))));

            assertThat(scrape())
                    .contains(
                            "holdfast_lock_wait_duration_seconds_count 1\n",
                            "holdfast_lock_wait_duration_seconds_sum 3.0\n");
        }

        @Test
        @DisplayName("the store's answers are timed, its failures and batches counted")
        void storeIsTimed() {
            meters.stored(Operation.WRITE, 12, Duration.ofMillis(2), false);
            meters.stored(Operation.READ, 1, Duration.ofMillis(2), true);
            meters.retried(JOB.record());

            assertThat(scrape())
                    .contains(
                            "holdfast_store_write_batch_size_sum 12.0\n",
                            "holdfast_store_duration_seconds_count{operation=\"write\"} 1\n",
                            "holdfast_store_duration_seconds_count{operation=\"read\"} 1\n",
                            "holdfast_store_failures_total{operation=\"read\"} 1.0\n",
                            "holdfast_store_failures_total{operation=\"write\"} 0.0\n",
                            "holdfast_store_retries_total 1.0\n");
        }
    }

    @Nested
    @DisplayName("In namespace deploy")
    class Deployer {
        @Test
        @DisplayName("the deployer's names count too, by stack, environment and level")
        void deployerNames() {
            meters.acquired(STACK, AcquireOutcome.GRANTED, Duration.ofMillis(250));
            meters.acquired(STACK.at("api"), AcquireOutcome.BUSY, Duration.ofMillis(4));
            meters.acquired(STACK.at("api"), AcquireOutcome.QUEUED, Duration.ofMillis(4));
            meters.renewed(STACK, RenewalOutcome.RENEWED);
            meters.renewed(STACK, RenewalOutcome.UNKNOWN);
            meters.happened(List.of(
                    event(EventType.STALE, STACK.at("api/web"), Duration.ofSeconds(1)),
                    event(EventType.RELEASED, STACK, Duration.ofSeconds(342))));

            assertThat(scrape())
                    .contains(
                            "deployer_lock_acquisition_duration_milliseconds_sum" + tags("stack") + " 250.0\n",
                            "holdfast_deployer_lock_acquisition_success_total" + tags("stack") + " 1.0\n",
                            "holdfast_deployer_lock_acquisition_failure_total" + tags("service") + " 1.0\n",
                            "deployer_lock_acquisition_duration_milliseconds_count" + tags("service") + " 1\n",
                            "holdfast_deployer_lock_heartbeat_success_total" + tags("stack") + " 1.0\n",
                            "holdfast_deployer_lock_heartbeat_failure_total" + tags("stack") + " 1.0\n",
                            "holdfast_deployer_lock_stale_detected_total" + tags("component") + " 1.0\n",
                            "holdfast_deployer_lock_held_duration_seconds_sum" + tags("stack") + " 342.0\n");
        }

        @Test
        @DisplayName("a lock that is not named like a stack counts as none")
        void otherNames() {
            meters.acquired(LockKey.of("deploy", "stack::env:x"), AcquireOutcome.GRANTED, Duration.ofMillis(1));
            meters.acquired(LockKey.of("deploy", "stack:a:env:"), AcquireOutcome.GRANTED, Duration.ofMillis(1));
            meters.acquired(LockKey.of("deploy", "whatever"), AcquireOutcome.GRANTED, Duration.ofMillis(1));

            assertThat(scrape())
                    .contains("holdfast_deployer_lock_acquisition_success_total"
                            + "{Environment=\"none\",LockLevel=\"stack\",Stack=\"none\"} 3.0\n");
        }

        private String tags(String level) {
            return "{Environment=\"prod\",LockLevel=\"" + level + "\",Stack=\"shop\"}";
        }
    }

    @Nested
    @DisplayName("Label values are bounded")
    class Bounds {
        @Test
        @DisplayName("after 200 namespaces the others share one value, and those known keep theirs")
        void namespaces() {
            for (int i = 0; i < 1_000; i++) {
                meters.acquired(LockKey.of("ns-" + i, "x"), AcquireOutcome.GRANTED, Duration.ofMillis(1));
            }
            meters.acquired(LockKey.of("ns-0", "x"), AcquireOutcome.GRANTED, Duration.ofMillis(1));

            assertThat(meters.registry().find("holdfast.lock.acquire.duration").timers().stream()
                            .map(timer -> timer.getId().getTag("namespace"))
                            .distinct())
                    .hasSize(LockTimers.MAX_NAMESPACES + 1)
                    .contains("other", "default", "ns-0");
            assertThat(scrape())
                    .contains(
                            "_count{namespace=\"other\",outcome=\"granted\",store=\"sqlite\"} 801\n",
                            "_count{namespace=\"ns-0\",outcome=\"granted\",store=\"sqlite\"} 2\n");
        }

        @Test
        @DisplayName("so are stacks, locks, calls and databases")
        void others() {
            meters.close();
            meters = new Meters(new MetersConfig("sqlite", true, true, "1.2.3", Duration.ZERO), vitals);
            for (int i = 0; i < 3_000; i++) {
                meters.acquired(
                        LockKey.of("deploy", "stack:s" + i + ":env:e" + i),
                        AcquireOutcome.GRANTED,
                        Duration.ofMillis(1));
                meters.request("/r/" + i, "GET", 200, Duration.ofMillis(1));
                meters.databaseStop("db-" + i, DatabaseStop.STOPPED);
            }

            assertThat(meters.registry()
                            .find("deployer.lock.acquisition.success")
                            .counters())
                    .hasSizeLessThanOrEqualTo(3 * (DeployerMeters.MAX_STACKS + 2));
            assertThat(meters.registry().find("holdfast.lock.acquire.duration").timers())
                    .hasSizeLessThanOrEqualTo(AcquireOutcome.values().length * (LockTimers.MAX_LOCKS + 1));
            assertThat(meters.registry().find("holdfast.http.request.duration").timers())
                    .hasSizeLessThanOrEqualTo(HttpTimers.MAX_CALLS + 1);
            assertThat(meters.registry().find("db.stop.stopped").counters()).hasSizeLessThanOrEqualTo(201);
        }
    }

    @Test
    @DisplayName("a scrape right after a change shows it")
    void changeIsShown() {
        assertThat(scrape()).contains("holdfast_lock_active 0.0\n");

        counts.set(new Counts(1, 2, 3, false));
        meters.happened(List.of(event(EventType.ACQUIRED, JOB, Duration.ZERO)));

        assertThat(scrape())
                .contains(
                        "holdfast_lock_active 1.0\n",
                        "holdfast_lock_waiters 2.0\n",
                        "holdfast_lock_stale 3.0\n",
                        "holdfast_lock_count_complete 0.0\n");
    }

    private String scrape() {
        return meters.scrape()
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
