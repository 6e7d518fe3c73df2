package dev.holdfast.cli.connect;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Stores that are a file of this machine: opening one makes it, which is not always what is meant. */
public final class StoreFile {
    private StoreFile() {}

    public static boolean is(String url) {
        return url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:");
    }

    public static Path path(String url) {
        return Path.of(url.replaceFirst("^(jdbc:)?sqlite:", "").replaceFirst("\\?.*", ""));
    }

    /** The URL with the file somewhere else: in memory, and what is no file, stays as it is. */
    public static String located(String url, UnaryOperator<String> place) {
        String file = path(url).toString();
        if (!is(url) || file.isEmpty() || file.startsWith(":")) {
            return url;
        }
        int end = url.indexOf('?');
        String before = url.substring(0, url.indexOf("sqlite:") + "sqlite:".length());
        return before + place.apply(file) + (end < 0 ? "" : url.substring(end));
    }

    public static boolean isMissing(String url) {
        return is(url) && !Files.exists(path(url));
    }
}
