package dev.holdfast.cli.connect;

import java.nio.file.Files;
import java.nio.file.Path;

/** Stores that are a file of this machine: opening one makes it, which is not always what is meant. */
public final class StoreFile {
    private StoreFile() {}

    public static boolean is(String url) {
        return url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:");
    }

    public static Path path(String url) {
        return Path.of(url.replaceFirst("^(jdbc:)?sqlite:", "").replaceFirst("\\?.*", ""));
    }

    public static boolean isMissing(String url) {
        return is(url) && !Files.exists(path(url));
    }
}
