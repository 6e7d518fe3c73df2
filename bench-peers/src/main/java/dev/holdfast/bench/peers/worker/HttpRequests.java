package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.HttpLoad;
import dev.holdfast.bench.HttpScripts;
import dev.holdfast.bench.Load;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Requests to a server of ours, one at a time on each of many connections: to an endpoint that does nothing, and acquires and releases in
 * turns, one in a request or many. The words are how many connections, and milliseconds to warm up and to measure.
 */
record HttpRequests(Task task) {
    /** Operations of a batch. */
    private static final int MANY = 16;

    void run() throws IOException {
        int port = URI.create(task.address()).getPort();
        int connections = task.number(0);
        Duration warm = Duration.ofMillis(task.number(1));
        Duration time = Duration.ofMillis(task.number(2));
        HttpLoad.run(port, cycles(connections, "warm"), warm, Duration.ofMillis(100));
        String on = ", " + connections + " connections";
        measure(port, "empty endpoint" + on, 1, HttpScripts.empties(connections), time);
        measure(port, "acquire or release" + on, 1, cycles(connections, "run"), time);
        HttpLoad.run(port, batches(connections, "warm"), warm.dividedBy(4), Duration.ofMillis(100));
        measure(port, "operations in batches of " + MANY + on, MANY, batches(connections, "run"), time);
    }

    private void measure(int port, String label, int each, List<HttpLoad.Script> scripts, Duration time)
            throws IOException {
        Duration warm = Duration.ofMillis(200);
        Meter meter = new Meter(task.servers());
        Load.Rate rate = HttpLoad.run(port, scripts, warm, time);
        // The meter sees the warm-up too, as operations at the same rate.
        Figures figures =
                meter.read(label, each * rate.cycles() * time.plus(warm).toMillis() / 1e3);
        figures.with(Figures.RATE, each * rate.cycles())
                .with(Figures.P50, rate.p50().toNanos() / 1e3)
                .with(Figures.P99, rate.p99().toNanos() / 1e3)
                .print();
    }

    private static List<HttpLoad.Script> cycles(int connections, String run) {
        return HttpScripts.cycles(connections, ProcessHandle.current().pid() + "-" + run);
    }

    private static List<HttpLoad.Script> batches(int connections, String run) {
        List<HttpLoad.Script> all = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            all.add(new BatchScript(ProcessHandle.current().pid() + "-batch-" + run + "-" + i));
        }
        return all;
    }

    /** Acquires many locks with one request, and releases them with the next. */
    private static final class BatchScript implements HttpLoad.Script {
        private final String name;
        private long count;
        private boolean held;

        BatchScript(String name) {
            this.name = name;
        }

        @Override
        public byte[] next() {
            count += held ? 0 : 1;
            String what = held ? "\"release\"" : "\"acquire\",\"lease_ms\":30000";
            return HttpLoad.post(
                    "/v2/locks/batch",
                    IntStream.range(0, MANY)
                            .mapToObj(i -> "{\"operation\":" + what + ",\"namespace\":\"bench\",\"name\":\"" + name
                                    + "-" + i + "\",\"lease_id\":\"" + name + "-" + i + "-" + count + "\"}")
                            .collect(Collectors.joining(",", "{\"operations\":[", "]}")));
        }

        @Override
        public void answered(int status) {
            HttpScripts.check(status);
            held = !held;
        }
    }
}
