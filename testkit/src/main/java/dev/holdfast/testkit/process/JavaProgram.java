package dev.holdfast.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program of ours, and how to start it in a JVM of its own that starts fast and stays small. */
public final class JavaProgram {
    /** Or newer JDKs warn of SQLite's driver. */
    private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

    /** No code lives long enough here to be worth the best compiler, or a collector with threads. */
    private static final List<String> FAST =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", NATIVE);

    private final Class<?> main;
    private final List<String> under = new ArrayList<>();
    private final List<String> flags = new ArrayList<>(FAST);
    private final Map<String, String> environment = new HashMap<>();
    // The build may start tests with a jar that only names the class path.
    private List<String> classes =
            List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    private String hidden = "";
    private Optional<Path> directory = Optional.empty();
    private boolean merged;

    private JavaProgram(Class<?> main) {
        this.main = main;
    }

    public static JavaProgram of(Class<?> main) {
        return new JavaProgram(main);
    }

    /** With the compilers and the collector that users get: for what is measured. */
    public JavaProgram withAllCompilers() {
        flags.removeAll(FAST);
        flags.add(NATIVE);
        return this;
    }

    /** With this much memory, and whatever else the JVM is to be told. */
    public JavaProgram heap(String size, String... more) {
        flags.add("-Xmx" + size);
        flags.addAll(List.of(more));
        return this;
    }

    /** With its classes from where these words say, instead of those of this process. */
    public JavaProgram classes(List<String> words) {
        classes = words;
        return this;
    }

    /** Started by another program, whose words these are. */
    public JavaProgram under(String... words) {
        under.addAll(List.of(words));
        return this;
    }

    /** With these variables, besides those of this process. */
    public JavaProgram with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    /** Without those variables of this process whose names start so. */
    public JavaProgram without(String prefix) {
        hidden = prefix;
        return this;
    }

    public JavaProgram in(Path place) {
        directory = Optional.of(place);
        return this;
    }

    /** What it prints as errors is heard among all it says; otherwise it is kept apart. */
    public JavaProgram merged() {
        merged = true;
        return this;
    }

    /** The words of the command that starts it; the list may be changed. */
    public List<String> words(String... arguments) {
        List<String> words = new ArrayList<>(under);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(flags);
        words.addAll(classes);
        words.add(main.getName());
        words.addAll(List.of(arguments));
        return words;
    }

    public JavaProcess start(String... arguments) {
        return start(words(arguments));
    }

    /** Starts it with words that were changed. */
    public JavaProcess start(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(merged);
        directory.ifPresent(place -> builder.directory(place.toFile()));
        if (!hidden.isEmpty()) {
            builder.environment().keySet().removeIf(name -> name.startsWith(hidden));
        }
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder.start(), main.getSimpleName(), environment.getOrDefault("HOSTNAME", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
