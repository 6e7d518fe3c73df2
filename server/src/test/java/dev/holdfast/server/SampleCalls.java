package dev.holdfast.server;

import dev.holdfast.server.http.Route;
import io.vertx.core.http.HttpMethod;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

/** A valid request for every route of the server. A route without one fails the tests that go through all routes: add it here. */
final class SampleCalls {
    /** Answers without end; must be asked in another way than the rest. */
    static final String EVENTS = "/v2/events";

    private static final String V1 = "/v1/{namespace}/lock/{lockName}";
    private static final String KEY = "\"namespace\":\"{namespace}\",\"name\":\"{lockName}\"";
    private static final String LEASE = KEY + ",\"lease_id\":\"sample-lease\"";
    private static final String STATE = "/state/{stack}/{environment}";
    private static final String LOCK_INFO = "{\"ID\":\"sample-lock-id\"}";
    private static final Map<String, String> STATE_BODIES = Map.of(
            "POST " + STATE,
            "{\"serial\":1}",
            "PUT " + STATE,
            "{\"serial\":1}",
            "LOCK " + STATE,
            LOCK_INFO,
            "UNLOCK " + STATE,
            LOCK_INFO,
            "POST " + STATE + "/lock",
            LOCK_INFO,
            "PUT " + STATE + "/lock",
            LOCK_INFO,
            "DELETE " + STATE + "/lock",
            LOCK_INFO,
            "POST " + STATE + "/restore",
            "{\"timestamp\":\"2026-11-16T11:05:12Z\"}");
    private static final String DATABASES = "\"databases\":[{\"type\":\"postgres\",\"host\":\"db1\"}]";
    private static final Map<String, String> LOCK_BODIES = Map.of(
            V1 + "/acquire",
            "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}",
            V1 + "/renew",
            "{\"instanceId\":\"pod-1\",\"leaseDuration\":60}",
            V1 + "/release",
            "{\"instanceId\":\"pod-1\"}",
            "/v2/locks/acquire",
            "{" + LEASE + ",\"lease_ms\":60000}",
            "/v2/locks/renew",
            "{\"leases\":[{" + LEASE + "}]}",
            "/v2/locks/release",
            "{\"leases\":[{" + LEASE + "}]}",
            "/v2/locks/batch",
            "{\"operations\":[{\"operation\":\"acquire\"," + LEASE + ",\"lease_ms\":60000}]}",
            "/v2/locks/force-unlock",
            "{" + KEY + ",\"fencing_token\":1,\"reason\":\"stuck\"}",
            "/v2/fence/check",
            "{" + KEY + ",\"fencing_token\":1}");
    private static final Map<String, String> GUARD_BODIES = Map.of(
            "/api/guard/apps",
            "{\"apps\":[{\"app\":\"{lockName}\",\"url\":\"http://127.0.0.1:9/\"," + DATABASES + "}]}",
            "/api/guard/apps/{app}",
            "{\"url\":\"http://127.0.0.1:9/\"," + DATABASES + "}",
            "/api/guard/apps/{app}/stop",
            "{\"dry_run\":true}",
            "/api/guard/apps/{app}/start",
            "{\"dry_run\":true}");
    private static final Map<String, String> TOKEN_BODIES = Map.of(
            "/v2/tokens",
            "{\"id\":\"{lockName}\",\"roles\":{\"{namespace}\":[\"read\"]}}",
            "/admin/log-level",
            "{\"level\":\"default\"}",
            "/admin/notify/test",
            "{}");
    private static final Map<String, String> QUERIES = Map.of(
            "/status/quick", "?app={lockName}",
            "/v2/lock", "?namespace={namespace}&name={lockName}",
            "/v2/locks", "?namespace={namespace}",
            "/v2/overview", "?namespace={namespace}",
            "/v2/history", "?namespace={namespace}",
            "/v2/events", "?namespace={namespace}",
            "/api/locks/status", "?namespace={namespace}",
            "/api/locks/history", "?namespace={namespace}");

    private SampleCalls() {}

    /** The request this client would send to this route, about this lock. */
    static HttpRequest.Builder of(Client client, Route route, String namespace, String name) {
        String path = filled(route.path() + QUERIES.getOrDefault(route.path(), ""), namespace, name);
        if (path.contains("{")) {
            throw new AssertionError("SampleCalls has no request for " + route.method() + " " + route.path());
        }
        if (route.method().equals(HttpMethod.GET)) {
            return client.request(path).GET();
        }
        if (route.body() == Route.BodyKind.NONE) {
            return client.request(path).method(route.method().name(), BodyPublishers.noBody());
        }
        String body = STATE_BODIES.getOrDefault(
                route.method().name() + " " + route.path(),
                LOCK_BODIES.getOrDefault(
                        route.path(), GUARD_BODIES.getOrDefault(route.path(), TOKEN_BODIES.get(route.path()))));
        if (body == null) {
            throw new AssertionError("SampleCalls has no body for " + route.method() + " " + route.path());
        }
        return client.request(path)
                .header("Content-Type", "application/json")
                .method(route.method().name(), BodyPublishers.ofString(filled(body, namespace, name)));
    }

    private static String filled(String text, String namespace, String name) {
        return text.replace("{namespace}", namespace)
                .replace("{lockName}", name)
                .replace("{stack}", name)
                .replace("{environment}", namespace)
                .replace("{version}", "20261116T110512.123456Z-k3f9ab12")
                .replace("{app}", name)
                .replace("{id}", name)
                .replace("{db_identifier}", name)
                .replace("{page}", "locks")
                .replace("{file}", "app.js");
    }
}
