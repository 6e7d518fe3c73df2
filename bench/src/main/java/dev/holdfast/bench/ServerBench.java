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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/** {@code holdfast bench server}: locks over HTTP, beside an endpoint of the same server that does nothing. */
@Command(
        name = "server",
        description = "Locks per second over HTTP, beside an endpoint of the same server that does nothing, and what"
                + " waiting requests cost. Takes about two minutes.")
final class ServerBench extends Bench {
    private static final int CONNECTIONS = 64;

    private int runs;

    ServerBench() {
        super(8, List.of("sqlite", "memory", "parked"));
    }

    @Override
    void run(String part, Path directory) throws Exception {
        switch (part) {
            case "sqlite" ->
                throughput("sqlite:" + directory.resolve("locks.db") + "?mode=exclusive", "sqlite, durable");
            case "memory" -> throughput("memory:", "memory");
            default -> new ParkedPolls(report()).run();
        }
    }

    private void throughput(String store, String name) throws Exception {
        Report report = report();
        ServerOptions config = ServerSetup.of(Settings.load(
                List.of("--port=0", "--store=" + store), Map.of(), Path.of(System.getProperty("java.io.tmpdir"))));
        Route empty = Route.post("/bench/empty", ServerBench::nothing);
        try (HoldfastServer server = HoldfastServer.start(config, Stores.open(store), List.of(empty))) {
            HttpLoad.run(
                    server.port(),
                    cycles(),
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(1)); // the compiler takes its time
            Load.Rate nothing = HttpLoad.run(server.port(), empties(), Duration.ofSeconds(3), time());
            report.line(
                    name + ": empty JSON POST",
                    nothing.cycles(),
                    "requests/s, " + CONNECTIONS + " connections," + nothing.times());
            Metrics before = Metrics.of(server.port());
            Load.Rate locks = HttpLoad.run(server.port(), cycles(), Duration.ofSeconds(3), time());
            report.line(name + ": acquire, release", locks.cycles(), "requests/s," + locks.times());
            Metrics after = Metrics.of(server.port());
            report.line("  locks written together", after.rowsPerWrite(before), "rows, mean");
            report.line("  time of one write", after.secondsPerWrite(before) * 1e6, "us, mean");
            report.ratio("lock requests / empty requests", locks.cycles() / nothing.cycles(), "0.35");
        }
    }

    private static CompletableFuture<Reply> nothing(Call call) {
        call.requireAnywhere(Role.LOCK);
        call.fields();
        return CompletableFuture.completedFuture(Reply.ok(json -> {}));
    }

    private static List<HttpLoad.Script> empties() {
        byte[] request = HttpLoad.post("/bench/empty", "{}");
        HttpLoad.Script same = new HttpLoad.Script() {
            @Override
            public byte[] next() {
                return request;
            }

            @Override
            public void answered(int status) {
                check(status);
            }
        };
        return Collections.nCopies(CONNECTIONS, same);
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
