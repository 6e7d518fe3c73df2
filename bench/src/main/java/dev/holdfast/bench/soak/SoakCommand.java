package dev.holdfast.bench.soak;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.internal.parts.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast soak}: the same load for a long time, and what grows meanwhile. */
@Command(
        name = "soak",
        description =
                "Drives locks, waits, state, guard and events at a server for a long time, and tells what grows meanwhile:"
                        + " heap, threads, open files, what the store keeps, and the time of answers.",
        footer = {
            "",
            "Without --server it starts a server of its own, on an embedded store that is thrown away and that keeps history for"
                    + " a minute. From 3 minutes on it judges: exit code 1 if something grows beyond its bound, or if more than one"
                    + " request in a thousand fails."
        })
public final class SoakCommand extends PlainCommand {
    private static final double LONGEST_MINUTES = 60 * 24 * 31;
    private static final int LISTENERS = 2;
    private static final Duration FASTEST_SAMPLES = Duration.ofSeconds(2);
    private static final Duration SLOWEST_SAMPLES = Duration.ofMinutes(1);
    /** Most samples the slope between any two is looked for. */
    private static final int MOST_SAMPLES = 1_000;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "How long (default ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private double minutes;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "A server that runs already; what it is left with is taken away at the end.")
    private Optional<String> server = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the token to show to the server (HOLDFAST_TOKEN_FILE, or the token itself in HOLDFAST_TOKEN).")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Turns a second, of one to four requests each (default ${DEFAULT-VALUE}).",
            defaultValue = "20")
    private double rate;

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "How many locks are used (default ${DEFAULT-VALUE}).",
            defaultValue = "100")
    private int keys;

    @Option(names = "--json", description = "Prints the result as JSON, in microseconds and bytes.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Optional<String> mistake = mistake();
        if (mistake.isPresent()) {
            err().println(mistake.get());
            return ExitCodes.USAGE;
        }
        if (server.isPresent()) {
            SoakTarget target = new SoakTarget(server.get(), token());
            if (!target.isReady()) {
                err().println("The server at " + target.url()
                        + " does not answer or is not ready. See: holdfast health --server " + target.url());
                return ExitCodes.UNREACHABLE;
            }
            return soak(target, Optional.empty());
        }
        try (OwnServer own = OwnServer.start()) {
            int code = soak(new SoakTarget(own.url(), Optional.empty()), Optional.of(own));
            tellLog(own);
            return code;
        }
    }

    private Optional<String> mistake() {
        if (!(minutes >= 0.05 && minutes <= LONGEST_MINUTES)) {
            return Optional.of("--minutes must be between 0.05 and " + (long) LONGEST_MINUTES + ", was " + minutes
                    + ". Example: ./holdfast soak --minutes 60");
        }
        if (!(rate >= 1 && rate <= 500)) {
            return Optional.of(
                    "--rate must be between 1 and 500, was " + rate + ". Example: ./holdfast soak --rate 50");
        }
        if (keys < 1 || keys > 10_000) {
            return Optional.of(
                    "--keys must be between 1 and 10000, was " + keys + ". Example: ./holdfast soak --keys 100");
        }
        if (server.isPresent() && !server.get().matches("https?://.+")) {
            return Optional.of("--server takes a URL such as http://127.0.0.1:8080, was '" + server.get() + "'");
        }
        return Optional.empty();
    }

    private Optional<String> token() throws IOException {
        Optional<Path> file =
                tokenFile.or(() -> Target.set("HOLDFAST_TOKEN_FILE").map(Path::of));
        return file.isPresent() ? Optional.of(Files.readString(file.get()).strip()) : Target.set("HOLDFAST_TOKEN");
    }

    // ---- the run

    private int soak(SoakTarget target, Optional<OwnServer> own) throws IOException, InterruptedException {
        Duration time = Duration.ofMillis((long) (minutes * 60_000));
        HttpServer apps = answeringApps();
        String run = "soak-" + Long.toString(System.nanoTime() & 0xff_ffff, 36);
        List<Activity> activities = List.of(
                Activity.locks(target, keys, own.isPresent(), run),
                Activity.waits(target, keys, run),
                Activity.state(target),
                Activity.guard(target, "http://127.0.0.1:" + apps.getAddress().getPort() + "/", own.isPresent()),
                Activity.looks(target));
        Watch watch = new Watch(target, own);
        List<Sample> samples = new ArrayList<>();
        ScheduledExecutorService sampling =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("soak-watch"));
        Traffic traffic = new Traffic(activities, target, rate);
        EventListeners listeners = new EventListeners(target, LISTENERS, watch.newestEvent());
        long start = System.nanoTime();
        try (traffic;
                listeners) {
            long every = millisBetweenSamples(time);
            var sampler = sampling.scheduleWithFixedDelay(
                    () -> sample(watch, target, start, samples), every, every, TimeUnit.MILLISECONDS);
            traffic.runUntil(start + time.toNanos());
            sampler.cancel(false);
        } finally {
            sampling.shutdown();
            apps.stop(0);
        }
        if (!sampling.awaitTermination(60, TimeUnit.SECONDS)) {
            target.failed("the last look at the server did not end");
        }
        if (own.isEmpty()) {
            for (Activity activity : activities) {
                activity.cleanUp();
            }
        } else if (!own.get().isAlive()) {
            target.failed("the server ended by itself");
        }
        return report(target, traffic, listeners, samples, time, own.isPresent());
    }

    private void sample(Watch watch, SoakTarget target, long start, List<Sample> samples) {
        try {
            Sample sample = watch.look(Duration.ofNanos(System.nanoTime() - start));
            synchronized (samples) {
                samples.add(sample);
                if (samples.size() > MOST_SAMPLES) {
                    thinOut(samples);
                }
            }
            progress(sample);
        } catch (IOException | RuntimeException e) {
            target.failed("looking at the server failed: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every second one stays: a month has no more of them than an hour. */
    private static void thinOut(List<Sample> samples) {
        for (int i = samples.size() - 2; i >= 0; i -= 2) {
            samples.remove(i);
        }
    }

    private void progress(Sample sample) {
        if (json) {
            return;
        }
        String values = Stream.of(
                        Gauge.HEAP, Gauge.THREADS, Gauge.DESCRIPTORS, Gauge.FILES, Gauge.EVENTS, Gauge.SLOWEST)
                .filter(sample.values()::containsKey)
                .map(gauge ->
                        gauge.title() + " " + gauge.unit().text(sample.values().getOrDefault(gauge, 0.0)))
                .reduce((a, b) -> a + ", " + b)
                .orElse("nothing seen");
        err().printf(Locale.ROOT, "%6.1f min  %s%n", sample.at().toMillis() / 60_000.0, values);
    }

    private int report(
            SoakTarget target,
            Traffic traffic,
            EventListeners listeners,
            List<Sample> samples,
            Duration time,
            boolean own) {
        Duration settled = settled(time, own);
        List<Sample> all;
        synchronized (samples) {
            all = List.copyOf(samples);
        }
        SoakReport report = new SoakReport(
                target.url(),
                time.minus(settled),
                traffic.turns(),
                traffic.leftOut(),
                target.requests(),
                target.failures(),
                target.firstFailure(),
                listeners.heard(),
                Stream.of(Gauge.values())
                        .map(gauge -> GrowthRate.of(gauge, all, settled))
                        .toList());
        out().print(json ? report.json() + System.lineSeparator() : report.table());
        out().flush();
        return report.problems().isEmpty() ? ExitCodes.OK : ExitCodes.FAILURE;
    }

    /** A quarter of the time, and what is kept for a minute must have begun to go; never more than half. */
    static Duration settled(Duration time, boolean own) {
        Duration quarter = time.dividedBy(4);
        Duration wanted = (own && quarter.compareTo(OwnServer.SETTLED) < 0) ? OwnServer.SETTLED : quarter;
        Duration half = time.dividedBy(2);
        return wanted.compareTo(half) < 0 ? wanted : half;
    }

    private static long millisBetweenSamples(Duration time) {
        return Math.min(
                Math.max(time.dividedBy(60).toMillis(), FASTEST_SAMPLES.toMillis()), SLOWEST_SAMPLES.toMillis());
    }

    /** Apps for the guard to look at. Those of a server elsewhere are not reached, which is an answer as well. */
    private static HttpServer answeringApps() throws IOException {
        HttpServer apps = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        apps.createContext("/", call -> {
            call.sendResponseHeaders(200, -1);
            call.close();
        });
        apps.setExecutor(Executors.newFixedThreadPool(2, DaemonThreads.named("soak-app")));
        apps.start();
        return apps;
    }

    /** Warnings of the server are not what a soak looks for, but nobody should have to miss them. */
    private void tellLog(OwnServer own) throws IOException {
        List<String> lines = Files.readAllLines(own.log());
        if (!lines.isEmpty()) {
            err().println("The server said, last: " + lines.get(lines.size() - 1));
        }
    }
}
