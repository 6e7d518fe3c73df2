package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Flags, variables and a file for one test. */
final class Sources {
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private List<String> flags = List.of();

    Sources(Path directory) {
        this.directory = directory;
    }

    Sources flags(String... given) {
        flags = List.of(given);
        return this;
    }

    Sources env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Writes {@code holdfast.yaml}. */
    Sources yaml(String... lines) throws IOException {
        return file("holdfast.yaml", String.join("\n", lines) + "\n");
    }

    Sources file(String name, String content) throws IOException {
        Files.writeString(directory.resolve(name), content);
        return this;
    }

    Settings load() {
        return Settings.load(flags, environment, directory);
    }

    /** What is wrong; fails the test if nothing is. */
    List<String> problems() {
        ConfigProblems thrown = catchThrowableOfType(ConfigProblems.class, this::load);
        if (thrown == null) {
            throw new AssertionError("everything was accepted");
        }
        return thrown.problems();
    }
}
