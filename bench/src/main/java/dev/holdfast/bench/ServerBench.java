package dev.holdfast.bench;

import dev.holdfast.Stores;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Locks per second over HTTP, beside an endpoint of the same server that does nothing. Prints, judges nothing. */
public final class ServerBench {
    private static final int CONNECTIONS = 64;

    /** What can be measured, in the order it is. */
    public static final List<String> PARTS = List.of("sqlite", "memory", "parked");

    private final Report report;
    private final Duration time;
    private final List<String> parts;
    private int runs;

    /** Measures these of {@link #PARTS}, each step for this long, and prints to {@code out}. */
    public ServerBench(PrintWriter out, Duration time, List<String> parts) {
        this.report = new Report(out);
        this.time = time;
        this.parts = List.copyOf(parts);
    }

    /** Runs all steps in a temporary directory. */
    public void run() throws Exception {
        Path directory = Files.createTempDirectory("holdfast-bench");
        try {
            report.note(String.format(
                    "Java %s, %d cores shared by server and loader, %d connections, %s per step%n",
                    System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(), CONNECTIONS, time));
            for (String part : parts) {
                switch (part) {
                    case "sqlite" ->
                        throughput("sqlite:" + directory.resolve("locks.db") + "?mode=exclusive", "sqlite, durable");
                    case "memory" -> throughput("memory:", "memory");
                    default -> new ParkedPolls(report).run();
                }
            }
        } finally {
            CoreBench.delete(directory);
        }
    }

    private void throughput(String store, String name) throws Exception {
        ServerOptions config = ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=" + store), Map.of(), Path.of(System.getProperty("java.io.tmpdir"))));
        Route empty = Route.post("/bench/empty", ServerBench::nothing);
        try (HoldfastServer server = HoldfastServer.start(config, Stores.open(store), List.of(empty))) {
            HttpLoad.run(
                    server.port(),
                    cycles(),
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(1)); // the compiler takes its time
            HttpLoad.Result nothing = HttpLoad.run(server.port(), empties(), Duration.ofSeconds(3), time);
            report.line(name + ": empty JSON POST", nothing.perSecond(), "requests/s" + times(nothing));
            Metrics before = Metrics.of(server.port());
            HttpLoad.Result locks = HttpLoad.run(server.port(), cycles(), Duration.ofSeconds(3), time);
            report.line(name + ": acquire, release", locks.perSecond(), "requests/s" + times(locks));
            Metrics after = Metrics.of(server.port());
            report.line("  locks written together", after.rowsPerWrite(before), "rows, mean");
            report.line("  time of one write", after.secondsPerWrite(before) * 1e6, "us, mean");
            report.ratio("lock requests / empty requests", locks.perSecond() / nothing.perSecond(), "0.35");
        }
    }

    private static String times(HttpLoad.Result result) {
        return ", p50 " + Report.micros(result.p50()) + " p99 " + Report.micros(result.p99());
    }

    private static CompletableFuture<Reply> nothing(Call call) {
        call.requireAnywhere(Role.LOCK);
        call.fields();
        return CompletableFuture.completedFuture(Reply.ok(json -> {}));
    }

    private static List<HttpLoad.Script> empties() {
        List<HttpLoad.Script> all = new ArrayList<>();
        byte[] request = HttpLoad.post("/bench/empty", "{}");
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(new HttpLoad.Script() {
                @Override
                public byte[] next() {
                    return request;
                }

                @Override
                public void answered(int status) {
                    check(status);
                }
            });
        }
        return all;
    }

    /** New locks each time: the last cycles of a run may have ended in the middle. */
    private List<HttpLoad.Script> cycles() {
        List<HttpLoad.Script> all = new ArrayList<>();
        runs++;
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(new Cycle("run-" + runs + "-lock-" + i));
        }
        return all;
    }

    /** Acquires and releases one lock, in turns. */
    private static final class Cycle implements HttpLoad.Script {
        private static long ids = System.nanoTime();

        private final String lock;
        private String leaseId = "";
        private boolean held;

        Cycle(String lock) {
            this.lock = "\"namespace\":\"bench\",\"name\":\"" + lock + "\",\"lease_id\":\"";
        }

        @Override
        public byte[] next() {
            if (held) {
                return HttpLoad.post("/v2/locks/release", "{\"leases\":[{" + lock + leaseId + "\"}]}");
            }
            leaseId = "bench-" + Long.toHexString(ids++);
            return HttpLoad.post("/v2/locks/acquire", "{" + lock + leaseId + "\",\"lease_ms\":30000}");
        }

        @Override
        public void answered(int status) {
            check(status);
            held = !held;
        }
    }

    private static void check(int status) {
        if (status != 200) {
            throw new IllegalStateException("The server answered " + status);
        }
    }
}
