package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** From the call to the number on the page: a route that forgets to tell is found here. */
@DisplayName("what is asked over HTTP moves the metrics")
class RouteMetersTest {
    private static final String STACK = "Environment=\"prod\",LockLevel=\"stack\",Stack=\"shop\"";
    private static final String LOCK =
            "\"namespace\":\"deploy\",\"name\":\"stack:shop:env:prod\",\"lease_id\":\"lease-of-a\"";

    private final TestServer server = TestServer.onMemory();

    @AfterEach
    void stop() {
        server.close();
    }

    /** The sum of all lines of this metric with these labels. */
    private double value(String name, String labels) {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> line.contains(labels))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private void post(String path, String json, int status) {
        assertThat(server.post(path, json).status()).as(path + " " + json).isEqualTo(status);
    }

    @Test
    @DisplayName("/v2 in namespace deploy: those of locks and those of the deployer (003.9)")
    void deploy() {
        post("/v2/locks/acquire", "{" + LOCK + ",\"lease_ms\":60000}", 200);
        assertThat(value("holdfast_deployer_lock_acquisition_success_total", STACK))
                .isEqualTo(1);
        assertThat(value("deployer_lock_acquisition_duration_milliseconds_count", STACK))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_acquire_duration_seconds_count", "outcome=\"granted\""))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_active", "")).isEqualTo(1);

        post("/v2/locks/acquire", "{" + LOCK.replace("of-a", "of-b") + ",\"lease_ms\":60000}", 423);
        assertThat(value("holdfast_deployer_lock_acquisition_failure_total", STACK))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_acquire_duration_seconds_count", "outcome=\"busy\""))
                .isEqualTo(1);

        post("/v2/locks/renew", "{\"leases\":[{" + LOCK + "}]}", 200);
        assertThat(value("holdfast_deployer_lock_heartbeat_success_total", STACK))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_renewals_total", "outcome=\"renewed\"")).isEqualTo(1);
        post("/v2/locks/renew", "{\"leases\":[{" + LOCK.replace("of-a", "of-b") + "}]}", 200);
        assertThat(value("holdfast_deployer_lock_heartbeat_failure_total", "")).isEqualTo(1);

        post("/v2/locks/release", "{\"leases\":[{" + LOCK + "}]}", 200);
        assertThat(value("holdfast_lock_releases_total", "outcome=\"released\""))
                .isEqualTo(1);
        Await.until("its end is told", () -> value("holdfast_deployer_lock_held_duration_seconds_count", STACK) == 1);
        Await.until("its end is told", () -> value("holdfast_lock_held_duration_seconds_count", "") == 1);
        assertThat(value("holdfast_lock_active", "")).isZero();
    }

    @Test
    @DisplayName("/v1 as well")
    void compatible() {
        String lock = "/v1/deploy/lock/shop-prod";
        String lease = "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}";
        post(lock + "/acquire", lease, 200);
        assertThat(value("holdfast_deployer_lock_acquisition_success_total", "Stack=\"none\""))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_acquire_duration_seconds_count", "outcome=\"granted\""))
                .isEqualTo(1);
        post(lock + "/acquire", lease.replace("pod-1", "pod-2"), 423);
        assertThat(value("holdfast_deployer_lock_acquisition_failure_total", "Stack=\"none\""))
                .isEqualTo(1);
        post(lock + "/renew", lease, 200);
        assertThat(value("holdfast_deployer_lock_heartbeat_success_total", "Stack=\"none\""))
                .isEqualTo(1);
        assertThat(value("holdfast_lock_renewals_total", "outcome=\"renewed\"")).isEqualTo(1);
        post(lock + "/release", "{\"instanceId\":\"pod-1\"}", 200);
        assertThat(value("holdfast_lock_releases_total", "outcome=\"released\""))
                .isEqualTo(1);
    }
}
