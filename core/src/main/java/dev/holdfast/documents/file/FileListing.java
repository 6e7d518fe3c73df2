package dev.holdfast.documents.file;

import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.ListRequest;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The names of documents in order, as many as are asked for. A directory stands in the order as its name with a {@code /}, which is
 * how the names in it begin; those in which nothing asked for can be are not opened.
 */
final class FileListing {
    private final ListRequest request;
    private final int most;
    private final List<String> found = new ArrayList<>();

    private FileListing(ListRequest request, int most) {
        this.request = request;
        this.most = most;
    }

    /** The first that match, one more than a page has if there are. */
    static List<String> names(Path root, ListRequest request) throws IOException {
        FileListing listing = new FileListing(request, request.limit() + 1);
        listing.walk(root, "");
        return listing.found;
    }

    private void walk(Path directory, String before) throws IOException {
        for (String entry : entries(directory, before)) {
            if (found.size() == most) {
                return;
            }
            if (entry.endsWith("/")) {
                walk(directory.resolve(entry.substring(before.length(), entry.length() - 1)), entry);
            } else if (request.matches(entry)) {
                found.add(entry);
            }
        }
    }

    /** The documents and directories in a directory by their whole names, in order. */
    private Iterable<String> entries(Path directory, String before) throws IOException {
        Comparator<String> up = Comparator.naturalOrder();
        TreeSet<String> entries = new TreeSet<>(request.newestFirst() ? up.reversed() : up);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                Optional<String> leaf = Tree.leafOf(name);
                if (leaf.isPresent()) {
                    entries.add(before + leaf.get());
                } else if (mayHold(before + name + "/")
                        && isOurs(before + name)
                        && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    entries.add(before + name + "/");
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of(); // it went away meanwhile
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    private boolean mayHold(String start) {
        String prefix = request.prefix();
        if (!start.startsWith(prefix) && !prefix.startsWith(start)) {
            return false;
        }
        // Unless the last name is in it too, all in it are on the same side of that as their beginning.
        return request.after()
                .filter(last -> !last.startsWith(start))
                .map(last -> request.newestFirst() ? start.compareTo(last) < 0 : start.compareTo(last) > 0)
                .orElse(true);
    }

    /** Directories whose names no document can have are somebody else's. */
    private static boolean isOurs(String name) {
        try {
            DocumentNames.checked(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
