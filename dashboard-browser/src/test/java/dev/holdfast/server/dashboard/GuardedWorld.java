package dev.holdfast.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Apps that answer as told, and two webhooks: one that stops and starts databases, one that always refuses, in words of its own. */
final class GuardedWorld implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    /** Where nobody listens. */
    static final String NOWHERE = "http://127.0.0.1:1/";

    private final HttpServer http;
    private final String refusal;
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private final Map<String, String> databases = new ConcurrentHashMap<>();

    private GuardedWorld(HttpServer http, String refusal) {
        this.http = http;
        this.refusal = refusal;
    }

    static GuardedWorld start(String refusal) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            GuardedWorld world = new GuardedWorld(http, refusal);
            http.createContext("/app/", world::answer);
            http.createContext("/db/", world::operate);
            http.createContext("/broken/", world::refuse);
            http.start();
            return world;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The settings of its webhooks. */
    String actuators() {
        return "guard:\n  actuators:\n" + hook("machines", "/db/") + hook("broken", "/broken/");
    }

    private String hook(String name, String path) {
        String url = address() + path + "{db_identifier}";
        return "    " + name + ": {type: http, poll: 100ms, stop_url: \"" + url + "\", start_url: \"" + url
                + "\", status_url: \"" + url + "\"}\n";
    }

    private String address() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** What a database does, by the account of its own webhook. */
    String state(String database) {
        return databases.getOrDefault(database, "running");
    }

    void answers(String app, int code) {
        codes.put(app, code);
    }

    /** Registers an app of this world that uses this database. */
    void register(int port, String app, int code, String instance, String actuator) {
        answers(app, code);
        register(port, app, address() + "/app/" + app, use("\"instance_id\":\"" + instance + "\"", actuator));
    }

    static String use(String place, String actuator) {
        return "{\"type\":\"postgres\"," + place + ",\"actuator\":\"" + actuator + "\"}";
    }

    static void register(int port, String app, String url, String databases) {
        send(port, "PUT", "/api/guard/apps/" + app, "{\"url\":\"" + url + "\",\"databases\":[" + databases + "]}");
    }

    static void stop(int port, String app) {
        send(port, "POST", "/api/guard/apps/" + app + "/stop", "{}");
    }

    static void start(int port, String app) {
        send(port, "POST", "/api/guard/apps/" + app + "/start", "{}");
    }

    static void send(int port, String method, String path, String body) {
        send(port, method, path, body, "");
    }

    static void send(int port, String method, String path, String body, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange call) throws IOException {
        call.sendResponseHeaders(codes.getOrDefault(last(call), 503), -1);
        call.close();
    }

    private void operate(HttpExchange call) throws IOException {
        if (call.getRequestMethod().equals("POST")) {
            Json asked = Json.parse(call.getRequestBody().readAllBytes());
            boolean stop = asked.at("action").text().orElse("").equals("stop");
            databases.put(last(call), stop ? "stopped" : "running");
        }
        reply(call, 200, "{\"state\":\"" + state(last(call)) + "\"}");
    }

    private void refuse(HttpExchange call) throws IOException {
        boolean look = call.getRequestMethod().equals("GET");
        reply(call, look ? 200 : 409, look ? "{\"state\":\"running\"}" : refusal);
    }

    private static String last(HttpExchange call) {
        String path = call.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void reply(HttpExchange call, int code, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(code, body.length);
        call.getResponseBody().write(body);
        call.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
