package dev.holdfast.bench;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.server.observe.logs.LoggingConfig;
import dev.holdfast.testkit.simulation.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast simulate}: runs the engine under every fault, many times over, or one run again with its trace. */
@Command(
        name = "simulate",
        description = "Runs the lock engine in virtual time under random faults and checks every promise.")
final class SimulateCommand extends PlainCommand {
    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many runs (default ${DEFAULT-VALUE}).",
            defaultValue = "1000")
    private long seeds;

    @Option(
            names = "--from",
            paramLabel = "SEED",
            description = "First seed (default ${DEFAULT-VALUE}).",
            defaultValue = "1")
    private long from;

    @Option(names = "--seed", paramLabel = "SEED", description = "Only this run, with its trace.")
    private Optional<Long> seed = Optional.empty();

    @Override
    public Integer call() {
        quiet();
        if (seeds < 1) {
            err().println("--seeds must be 1 or more, was " + seeds + ". Example: holdfast simulate --seeds 10000");
            return ExitCodes.USAGE;
        }
        return seed.isPresent() ? one(seed.get()) : many();
    }

    /** Simulated engines complain about simulated outages; that is not news. */
    private static void quiet() {
        try {
            Logging.configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.ERROR, Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no file
        }
    }

    private int one(long seed) {
        Simulation.Outcome outcome = Simulation.trace(seed);
        out().println(outcome.trace());
        out().println(outcome.failure().map(what -> "BROKEN " + what).orElse("all promises held"));
        return outcome.failure().isPresent() ? ExitCodes.CHECK_SAID_NO : ExitCodes.OK;
    }

    private int many() {
        long start = System.nanoTime();
        AtomicLong events = new AtomicLong();
        AtomicLong done = new AtomicLong();
        long step = Math.max(1, seeds / 10);
        Optional<Simulation.Outcome> broken = LongStream.range(from, from + seeds)
                .parallel()
                .mapToObj(Simulation::run)
                .peek(outcome -> {
                    events.addAndGet(outcome.events());
                    if (done.incrementAndGet() % step == 0) {
                        err().printf("%,d of %,d runs%n", done.get(), seeds);
                    }
                })
                .filter(outcome -> outcome.failure().isPresent())
                .findAny();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (broken.isPresent()) {
            out().println("seed " + broken.get().seed() + " BROKEN "
                    + broken.get().failure().orElse(""));
            out().println("See it happen: holdfast simulate --seed "
                    + broken.get().seed());
            return ExitCodes.CHECK_SAID_NO;
        }
        out().printf(
                        "%,d runs, %,d events, %.1f s, %,.0f events/s: all promises held%n",
                        done.get(), events.get(), seconds, events.get() / seconds);
        return ExitCodes.OK;
    }
}
