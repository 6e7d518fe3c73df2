package dev.holdfast.cli;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.engine.LockEngine;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreClock;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code holdfast doctor}: can this machine use this store, and how well. */
@Command(
        name = "doctor",
        description = "Checks Java, the store, its clock and a lock on it, and says what is wrong.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final int ROUND_TRIPS = 50;
    /** A clock further off than this makes leases end visibly early or late for people who read the times. */
    private static final Duration CLOCK_OFF = Duration.ofSeconds(2);

    @Option(
            names = "--store",
            paramLabel = "URL",
            defaultValue = "${env:HOLDFAST_STORE}",
            description = "The store to check, such as sqlite:locks.db (HOLDFAST_STORE); without it, a temporary file.")
    private Optional<String> store = Optional.empty();

    @Spec
    private CommandSpec spec;

    private boolean warned;

    @Override
    public Integer call() throws Exception {
        say(
                "ok",
                "Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch"));
        if (store.isPresent()) {
            return check(store.get());
        }
        Path directory = Files.createTempDirectory("holdfast-doctor");
        try {
            return check("sqlite:" + directory.resolve("locks.db"));
        } finally {
            delete(directory);
        }
    }

    private int check(String url) throws InterruptedException {
        long start = System.nanoTime();
        RecordStore opened;
        try {
            opened = Stores.open(url);
        } catch (IllegalArgumentException e) {
            say("FAIL", String.valueOf(e.getMessage()));
            return ExitCodes.USAGE;
        } catch (StoreException e) {
            say("FAIL", String.valueOf(e.getMessage()));
            return ExitCodes.UNREACHABLE;
        }
        say("ok", "store " + Stores.masked(url) + " opened in " + millisSince(start) + ", its schema is current");
        LockEngine engine = LockEngine.start(opened, ClientConfig.DEFAULT.engine());
        try (LockClient locks = LockClient.on(engine, ClientConfig.DEFAULT.withNamespace("holdfast-doctor"))) {
            clock(opened.clock());
            lock(locks);
        } catch (StoreException e) {
            say("FAIL", String.valueOf(e.getMessage()));
            return ExitCodes.CHECK_SAID_NO;
        }
        say(warned ? "warn" : "ok", warned ? "usable, with the warnings above" : "all well");
        return ExitCodes.OK;
    }

    private void clock(StoreClock clock) {
        Optional<StoreClock.Reading> reading = clock.now();
        if (reading.isEmpty()) {
            say("warn", "the store's time is not known yet");
            warned = true;
            return;
        }
        Duration width =
                Duration.between(reading.get().earliest(), reading.get().latest());
        Duration off = Duration.between(Instant.now(), reading.get().latest()).abs();
        boolean far = off.compareTo(CLOCK_OFF) > 0;
        warned |= far;
        say(
                far ? "warn" : "ok",
                "store clock known within " + width.toMillis() + " ms, " + off.toMillis()
                        + " ms from this machine's wall clock");
    }

    private void lock(LockClient locks) throws InterruptedException {
        LockKey key =
                LockKey.of("holdfast-doctor", "probe-" + ProcessHandle.current().pid());
        long[] taken = new long[ROUND_TRIPS];
        long token = 0;
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            try (Lease lease = locks.acquire(key, o -> o.reason("holdfast doctor"))) {
                if (lease.token().value() <= token) {
                    throw new StoreUnusableException(
                            "token " + lease.token() + " is not above the one before, " + token, null);
                }
                token = lease.token().value();
            }
            taken[i] = System.nanoTime() - start;
        }
        Arrays.sort(taken);
        say(
                "ok",
                String.format(
                        "%d locks taken and released: median %.2f ms, slowest %.2f ms; tokens grow, last %d",
                        ROUND_TRIPS, taken[ROUND_TRIPS / 2] / 1e6, taken[ROUND_TRIPS - 1] / 1e6, token));
    }

    private void say(String how, String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%-4s  %s%n", how, what);
        out.flush();
    }

    private static String millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000 + " ms";
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
