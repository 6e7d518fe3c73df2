package dev.holdfast.bench;

import dev.holdfast.server.HoldfastServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        try (HoldfastServer server = HttpScripts.server(store)) {
            HttpLoad.run(
                    server.port(),
                    cycles(),
                    Duration.ofSeconds(25),
                    Duration.ofSeconds(1)); // the compiler takes its time
            Load.Rate nothing =
                    HttpLoad.run(server.port(), HttpScripts.empties(CONNECTIONS), Duration.ofSeconds(3), time());
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

    /** New locks each time: the last cycles of a run may have ended in the middle. */
    private List<HttpLoad.Script> cycles() {
        runs++;
        return HttpScripts.cycles(CONNECTIONS, "run-" + runs + "-lock");
    }
}
