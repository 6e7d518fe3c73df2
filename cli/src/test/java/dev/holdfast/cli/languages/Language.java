package dev.holdfast.cli.languages;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A language that docs/tasks/from-any-language.md has a program in. */
enum Language {
    PYTHON("python/holdfast_lock.py", "python3"),
    NODE("node/holdfast_lock.mjs", "node"),
    GO("go/holdfast_lock.go", "go"),
    SHELL("shell/holdfast-lock.sh", "bash curl");

    private static final Path PROGRAMS = Path.of("../examples/languages").toAbsolutePath();
    private static final int NODE_WITH_ABORT_SIGNAL_ANY = 20;
    private static final long BUILD_MINUTES = 5;

    private final String program;
    private final String tools;

    Language(String program, String tools) {
        this.program = program;
        this.tools = tools;
    }

    /** Its text, as the page shows it. */
    String text() throws IOException {
        return Files.readString(PROGRAMS.resolve(program));
    }

    /** The words that run it: it works under the lock for so long. Skips the test where the language is missing. */
    List<String> words(Path directory, String lock, int seconds) throws IOException, InterruptedException {
        for (String tool : tools.split(" ", -1)) {
            assumeInstalled(tool);
        }
        String file = PROGRAMS.resolve(program).toString();
        String time = Integer.toString(seconds);
        return switch (this) {
            case PYTHON -> List.of("python3", file, lock, time);
            case NODE -> {
                int major = Integer.parseInt(said(directory, "node", "-p", "process.versions.node.split('.')[0]"));
                Assumptions.assumeTrue(
                        major >= NODE_WITH_ABORT_SIGNAL_ANY, "the program needs Node 20, this is " + major);
                yield List.of("node", file, lock, time);
            }
            case GO -> List.of(built(directory, file), lock, time);
            case SHELL -> List.of("bash", file, lock, "sleep", time);
        };
    }

    /** Once for all; not {@code go run}, which does not pass signals on. */
    private static synchronized String built(Path directory, String file) throws IOException, InterruptedException {
        Path binary = directory.resolve("holdfast_lock");
        if (!Files.exists(binary)) {
            said(directory, "go", "build", "-o", binary.toString(), file);
        }
        return binary.toString();
    }

    /** Skips the test where this is missing. */
    static void assumeInstalled(String tool) {
        Assumptions.assumeTrue(onPath(tool).isPresent(), tool + " is not installed");
    }

    private static String said(Path directory, String... words) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES);
        String text = Files.readString(output).strip();
        if (!ended || process.exitValue() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + text);
        }
        return text;
    }

    private static Optional<Path> onPath(String tool) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
