package dev.holdfast.cli.state;

import dev.holdfast.cli.connect.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The version that changes under {@code state run --path} are made from, in a file of that run: the one that was current at its start,
 * then what {@code state pull} last printed or {@code state push} last saved in it. Beside the run others save other parts of the same
 * document, so each save says what it was made from.
 */
record BaseVersion(Path file) {
    static final String VARIABLE = "HOLDFAST_STATE_BASE";

    static BaseVersion fresh() {
        try {
            return new BaseVersion(Files.createTempFile("holdfast-base", ""));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "No file can be made for the version that is worked on: " + e.getMessage(), e);
        }
    }

    static Optional<BaseVersion> outer() {
        return Target.set(VARIABLE).map(it -> new BaseVersion(Path.of(it)));
    }

    /** Empty if there was no state. */
    Optional<String> read() {
        try {
            return Optional.of(Files.readString(file).strip()).filter(it -> !it.isEmpty());
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The version that is worked on cannot be read from " + file + ". Name it with --base", e);
        }
    }

    void write(Optional<String> version) {
        try {
            Files.writeString(file, version.orElse(""));
        } catch (IOException e) {
            throw new IllegalStateException("The version that is worked on cannot be kept in " + file, e);
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            file.toFile().deleteOnExit(); // a few letters in the directory for temporary files
        }
    }
}
