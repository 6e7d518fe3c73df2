package dev.holdfast.bench;

import dev.holdfast.cli.admin.TemporaryFiles;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** A measurement in several parts, in a temporary directory. Prints what was measured; it judges nothing. */
abstract class Bench extends PlainCommand {
    private final List<String> parts;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long each step is measured (default ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "Only these parts (default ${DEFAULT-VALUE}).")
    private List<String> only;

    /** With this many seconds for a step, unless told otherwise, and these parts in this order. */
    Bench(int seconds, List<String> parts) {
        this.seconds = seconds;
        this.parts = parts;
        this.only = parts;
    }

    /** Measures one part. */
    abstract void run(String part, Path directory) throws Exception;

    final Report report() {
        return new Report(out());
    }

    final Duration time() {
        return Duration.ofSeconds(seconds);
    }

    @Override
    public final Integer call() throws Exception {
        if (!parts.containsAll(only)) {
            return refused("--only takes " + parts + ", was " + only);
        }
        if (seconds < 1 || seconds > 600) {
            return refused("--seconds must be between 1 and 600, was " + seconds);
        }
        Path directory = Files.createTempDirectory("holdfast-bench");
        try {
            report().note(String.format(
                    "Java %s, %d cores for everything, %d s per step%n",
                    System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(), seconds));
            for (String part : only) {
                run(part, directory);
            }
        } finally {
            TemporaryFiles.delete(directory);
        }
        return ExitCodes.OK;
    }

    private int refused(String text) {
        err().println(text);
        return ExitCodes.USAGE;
    }
}
