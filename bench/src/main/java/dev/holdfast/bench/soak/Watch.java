package dev.holdfast.bench.soak;

import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Looks at a server from outside: what its metrics and its listings tell; of a server of our own also what the system tells of its process and
 * its files, and it is made to collect its garbage before its heap is looked at. Of another's the heap is the lowest of several looks.
 */
record Watch(SoakTarget target, Optional<OwnServer> own) {
    private static final int LOOKS = 5;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final int STACKS = 4;

    /** All that can be seen now. */
    Sample look(Duration at) throws IOException, InterruptedException {
        Map<Gauge, Double> values = new EnumMap<>(Gauge.class);
        target.takeTimes().ifPresent(times -> {
            values.put(Gauge.MEDIAN, times[0]);
            values.put(Gauge.SLOWEST, times[1]);
        });
        if (own.isPresent()) {
            collectGarbage(own.get().pid());
            values.put(Gauge.FILES, (double) own.get().storedBytes());
            residentBytes(own.get().pid()).ifPresent(bytes -> values.put(Gauge.MEMORY, bytes));
        }
        process(values);
        put(values, Gauge.EVENTS, eventsKept());
        put(values, Gauge.LOCKS, locksKept());
        put(values, Gauge.VERSIONS, versionsKept());
        return new Sample(at, values);
    }

    private static void put(Map<Gauge, Double> values, Gauge gauge, OptionalLong value) {
        value.ifPresent(number -> values.put(gauge, (double) number));
    }

    // ---- the process

    private void process(Map<Gauge, Double> values) throws InterruptedException {
        int looks = own.isPresent() ? 1 : LOOKS;
        for (int i = 0; i < looks; i++) {
            if (i > 0) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS.toMillis());
            }
            Optional<String> metrics = target.metrics();
            if (metrics.isEmpty()) {
                return;
            }
            String text = metrics.get();
            sum(text, "jvm_memory_used_bytes{area=\"heap\"")
                    .ifPresent(heap -> values.merge(Gauge.HEAP, heap, Math::min));
            sum(text, "jvm_threads_live_threads").ifPresent(threads -> values.put(Gauge.THREADS, threads));
            sum(text, "process_files_open_files").ifPresent(files -> values.put(Gauge.DESCRIPTORS, files));
        }
    }

    /** Of all lines of a metric. */
    static OptionalDouble sum(String metrics, String start) {
        List<String> lines =
                metrics.lines().filter(line -> line.startsWith(start)).toList();
        return lines.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(lines.stream()
                        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                        .sum());
    }

    /** With the tool of the JDK; where there is none, the heap is what it is. */
    private static void collectGarbage(long pid) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd)) {
            return;
        }
        Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    /** Where the system says so in a file, as Linux does. */
    private static OptionalDouble residentBytes(long pid) {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1_024)
                    .findFirst();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    // ---- what is kept

    /** The number of the newest event; 0 if there is none. */
    long newestEvent() throws InterruptedException {
        return number("/v2/history?limit=1").orElse(0);
    }

    /** Events are numbered: the oldest and the newest say how many there are at most. */
    private OptionalLong eventsKept() throws InterruptedException {
        OptionalLong oldest = number("/v2/history?after=0&limit=1");
        OptionalLong newest = number("/v2/history?limit=1");
        return (oldest.isPresent() && newest.isPresent())
                ? OptionalLong.of(Math.max(0, newest.getAsLong() - oldest.getAsLong() + 1))
                : OptionalLong.empty();
    }

    private OptionalLong number(String path) throws InterruptedException {
        List<Json> items = target.get(path).json().at("items").items();
        return items.isEmpty()
                ? OptionalLong.empty()
                : items.get(0).at("event_id").number();
    }

    private OptionalLong locksKept() throws InterruptedException {
        return target.get("/v2/locks?namespace=" + Activity.NAMESPACE + "&limit=1&count=true")
                .json()
                .at("total")
                .number();
    }

    private OptionalLong versionsKept() throws InterruptedException {
        long versions = 0;
        for (int stack = 0; stack < STACKS; stack++) {
            SoakTarget.Answer answer =
                    target.call("GET", "/state/soak-" + stack + "/test/history?limit=1000", "", Set.of(200, 404, 501));
            versions += answer.json().at("items").items().size();
        }
        return versions == 0 ? OptionalLong.empty() : OptionalLong.of(versions);
    }
}
