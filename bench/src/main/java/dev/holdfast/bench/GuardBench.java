package dev.holdfast.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.server.observe.logs.LoggingConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;

/** {@code holdfast bench guard}: how fast the guard decides, and what watching many resources costs. */
@Command(
        name = "guard",
        description = "How fast the guard decides about a database that 100 apps share, and how much of a core it takes"
                + " to watch 1000 databases. Takes about four minutes.")
final class GuardBench extends Bench {
    private static final int SHARERS = 100;
    private static final int RESOURCES = 1_000;
    private static final int DECISIONS = 5;
    /** As configured by default. */
    private static final double STATUS_TIMEOUT_MILLIS = 3_000;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GuardBench() {
        super(60, List.of("sharers", "resources"));
    }

    @Override
    void run(String part, Path directory) throws Exception {
        Logging.Output log =
                Logging.configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.WARN, Optional.empty()));
        ServerOptions config = ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=sqlite:" + directory.resolve(part + ".db") + "?mode=exclusive"),
                Map.of(),
                directory));
        try (AnsweringApps apps = AnsweringApps.start();
                HoldfastServer server = HoldfastServer.start(config)) {
            if (part.equals("sharers")) {
                sharers(server.port(), apps);
            } else {
                resources(server.port(), apps);
            }
        } finally {
            log.close();
        }
    }

    private void sharers(int port, AnsweringApps apps) throws Exception {
        register(port, SHARERS, i -> apps.url(i), i -> "shared");
        slowest(port); // the compiler takes its time
        long used = system.getProcessCpuTime();
        report().line(SHARERS + " sharers, all answer: slowest of " + DECISIONS, slowest(port), "ms");
        report().line(
                        "  processor time for one decision, the call included",
                        (system.getProcessCpuTime() - used) / 1e6 / DECISIONS,
                        "ms");
        register(port, SHARERS, i -> i == SHARERS - 1 ? apps.silent() : apps.url(i), i -> "shared");
        double slowest = slowest(port);
        report().line(SHARERS + " sharers, one never answers: slowest", slowest, "ms");
        report().ratio("beyond the status timeout, in ms", slowest - STATUS_TIMEOUT_MILLIS, "under 500");
    }

    private double slowest(int port) throws Exception {
        double slowest = 0;
        int decided = 0;
        while (decided < DECISIONS) {
            long start = System.nanoTime();
            String answer = call(port, "POST", "/api/guard/apps/app0/stop", "{}");
            if (answer.contains("\"decision\":\"skipped_lock\"")) {
                Thread.sleep(2 * (long) STATUS_TIMEOUT_MILLIS); // the reconciler was deciding at this moment
            } else {
                slowest = Math.max(slowest, (System.nanoTime() - start) / 1e6);
                decided++;
            }
        }
        return slowest;
    }

    private void resources(int port, AnsweringApps apps) throws Exception {
        register(port, RESOURCES, i -> apps.url(i), i -> "db" + i);
        report().line(RESOURCES + " resources, nothing to do", watched(), "of a core (goal 0.1)");
        ExecutorService callers = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> stops = new ArrayList<>();
            for (int i = 0; i < RESOURCES; i++) {
                String path = "/api/guard/apps/app" + i + "/stop";
                stops.add(callers.submit(() -> call(port, "POST", path, "{}")));
            }
            for (Future<String> stop : stops) {
                stop.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a stop failed", e.getCause());
        } finally {
            callers.shutdownNow();
        }
        report().line(RESOURCES + " resources, all to be stopped, all needed", watched(), "of a core (goal 0.1)");
    }

    /** How much of a core this process uses while only the guard works. */
    private double watched() throws InterruptedException {
        Thread.sleep(Math.min(20_000, time().toMillis())); // what is new is looked at once
        return Load.coresUsed(time());
    }

    // ---- calls

    private void register(int port, int apps, IntFunction<String> url, IntFunction<String> host) throws Exception {
        String all = IntStream.range(0, apps)
                .mapToObj(i -> "{\"app\":\"app" + i + "\",\"url\":\"" + url.apply(i)
                        + "\",\"databases\":[{\"type\":\"postgres\",\"host\":\"" + host.apply(i) + "\"}]}")
                .collect(Collectors.joining(",", "{\"apps\":[", "]}"));
        call(port, "PUT", "/api/guard/apps", all);
    }

    private String call(int port, String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(path + " was answered " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }
}
