package dev.holdfast.cli.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;

public final class FileProblem {
    private FileProblem() {}

    /** If this file cannot be read: what is wrong, and who named it, such as {@code --token-file}. */
    public static Optional<String> of(Path file, String origin) {
        return of(file).map(problem -> problem + " (" + origin + ")");
    }

    public static Optional<String> of(Path file) {
        if (!Files.exists(file)) {
            return Optional.of("There is no file '" + file + "'");
        }
        if (Files.isDirectory(file)) {
            return Optional.of("'" + file + "' is a directory, not a file");
        }
        return Files.isReadable(file)
                ? Optional.empty()
                : Optional.of("The file '" + file + "' cannot be read: permission denied");
    }

    public static String why(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        }
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : FailureMessage.of(message);
    }
}
