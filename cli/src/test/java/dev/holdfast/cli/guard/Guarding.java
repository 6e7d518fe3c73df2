package dev.holdfast.cli.guard;

import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.SmallApp;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Servers that guard a database, and calls to them. */
final class Guarding implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final long LIMIT_SECONDS = 150;

    private final Path directory;
    private final GuardedDatabase database;
    private final List<String> flags;
    private ServerProcess server;

    Guarding(Path directory, GuardedDatabase database, String... flags) throws IOException, InterruptedException {
        this.directory = directory;
        this.database = database;
        this.flags = List.of(flags);
        Files.writeString(directory.resolve("holdfast.yaml"), settings());
        this.server = launched();
    }

    private String settings() {
        return String.join(
                "\n",
                "controller: {lock_ttl_seconds: 2, quick_status_timeout: 2, lock_max_retries: 10}",
                "guard:",
                "  actuator: machine",
                "  interval: 300ms",
                "  confirmation-pause: 100ms",
                "  actuators:",
                "    machine:",
                "      type: command",
                "      stop: [" + database.script() + ", stop]",
                "      start: [" + database.script() + ", start]",
                "      status: [" + database.script() + ", status]",
                "");
    }

    private ServerProcess launched() throws InterruptedException {
        return CliServer.start(directory, Map.of(), flags.toArray(String[]::new))
                .ready();
    }

    /** A second server in the same directory. */
    ServerProcess another() throws InterruptedException {
        return launched();
    }

    /** Starts it again after it was killed. */
    void again() throws InterruptedException {
        server.exit();
        server = launched();
    }

    ServerProcess server() {
        return server;
    }

    // ---- calls

    void register(SmallApp app, String databases) throws IOException, InterruptedException {
        HttpRequest request = server.request("/api/guard/apps/" + app.name())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"url\":\"" + app.url() + "\",\"databases\":[" + databases + "]}"))
                .build();
        HttpResponse<String> answer = CLIENT.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.body());
        }
    }

    void forget(SmallApp app) throws IOException, InterruptedException {
        CLIENT.send(server.request("/api/guard/apps/" + app.name()).DELETE().build(), BodyHandlers.ofString());
    }

    Json stop(SmallApp app) throws IOException, InterruptedException {
        return decision(server.post("/api/guard/apps/" + app.name() + "/stop", "{}"));
    }

    Json start(SmallApp app) throws IOException, InterruptedException {
        return decision(server.post("/api/guard/apps/" + app.name() + "/start", "{}"));
    }

    /** A call whose answer may never come. */
    static CompletableFuture<HttpResponse<String>> later(ServerProcess server, SmallApp app, String what) {
        return server.postLater("/api/guard/apps/" + app.name() + "/" + what, "{}");
    }

    /** The only decision of an answer. */
    static Json decision(HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return tree(answer).at("decisions").items().get(0);
    }

    static String word(Json decision) {
        return decision.at("decision").plain();
    }

    /** The state of the only resource. */
    String state() throws IOException, InterruptedException {
        List<Json> all = tree(server.get("/api/guard/resources")).at("items").items();
        return all.isEmpty() ? "none" : all.get(0).at("state").plain();
    }

    private static Json tree(HttpResponse<String> answer) {
        return Json.parse(answer.body().getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until something is so. */
    void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited in vain until " + what + "; " + server);
            }
            TimeUnit.MILLISECONDS.sleep(30);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
